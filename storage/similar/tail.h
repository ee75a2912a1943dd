// The latest documents, whose keywords are not in a segment yet: columns of keywords in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "pipeline/model/types.h"

namespace neardup {

// The documents as of one moment. Later ones are added behind them in the same memory.
class TailView {
 public:
  TailView() = default;

  std::size_t size() const { return size_; }
  // Ascending.
  std::span<const Seq> seqs() const { return {seqs_.get(), size_}; }
  // The keywords of all documents at one position.
  std::span<const std::uint16_t> column(std::uint32_t position) const {
    return {columns_.get() + position * room_, size_};
  }

 private:
  friend class Tail;

  std::shared_ptr<Seq[]> seqs_;
  std::shared_ptr<std::uint16_t[]> columns_;
  std::size_t room_ = 0;
  std::size_t size_ = 0;
};

// One thread at a time may call this; views may be read meanwhile.
class Tail {
 public:
  explicit Tail(std::uint32_t keywords) : keywords_(keywords) {}

  bool full() const { return view_.size_ == view_.room_; }
  std::size_t room() const { return view_.room_ - view_.size_; }

  // Adds a document with its keywords. Requires: not full; seqs ascending.
  void add(Seq seq, const std::uint16_t* keywords) {
    for (std::uint32_t i = 0; i < keywords_; ++i) {
      view_.columns_[i * view_.room_ + view_.size_] = keywords[i];
    }
    view_.seqs_[view_.size_++] = seq;
  }

  // Becomes empty, with room for `room` documents. Views keep the documents that they have.
  void clear(std::size_t room) {
    view_.seqs_ = std::make_shared_for_overwrite<Seq[]>(room);
    view_.columns_ = std::make_shared_for_overwrite<std::uint16_t[]>(room * keywords_);
    view_.room_ = room;
    view_.size_ = 0;
  }

  const TailView& view() const { return view_; }

 private:
  std::uint32_t keywords_;
  TailView view_;
};

}  // namespace neardup
