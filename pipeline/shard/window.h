// Documents that the newest records have created and ended: the part of the documents that answers
// of shards do not have yet.
//
// The window is the records (base, last]. Whoever judges takes from answers what was created up to
// `base`, and everything else from here. It has two generations, so that the older half can go once
// all answers are recent enough.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

#include "pipeline/match/pending.h"
#include "pipeline/retention/tombstones.h"
#include "storage/store.h"

namespace neardup {

class Window : private TombstoneListener {
 public:
  Window(Seq base, bool keeps_texts, Tombstones& tombstones);

  // Answers as of this record or a later one can be used.
  Seq base() const { return base_; }

  // Becomes empty: from now on answers are as of record `last`, at least.
  void restart(Seq last);
  // The same where it is only the older half that is no longer needed: from now on answers are as
  // of record `as_of`, at least. last: the last record that was decided.
  void shrink(Seq as_of, Seq last);

  // How the window has changed an id; `row` is set for kPut.
  Pending::Id find_id(const IdKey& key, IdRow& row) const;
  // Has the window ended this document?
  bool ended(Seq seq) const { return newer().ended.contains(seq) || older().ended.contains(seq); }
  // A live document of the window, or null.
  const DocumentPut* document(Seq seq) const;

  // The documents of a bucket, as Pending::bucket_size and Pending::visit_bucket.
  std::size_t bucket_size(const Bucket& bucket) const {
    return older().pending.bucket_size(bucket) + newer().pending.bucket_size(bucket);
  }
  // The addresses that `find_id` and `visit_bucket` read first.
  std::array<const void*, 2> addresses(std::string_view name_space, std::string_view id) const {
    return {newer().pending.address(name_space, id), older().pending.address(name_space, id)};
  }
  std::array<const void*, 2> addresses(const Bucket& bucket) const {
    return {newer().pending.address(bucket), older().pending.address(bucket)};
  }
  // Calls visit(document).
  template <class Visit>
  void visit_bucket(const Bucket& bucket, Visit visit) {
    bool goes_on = true;
    for (Generation* generation : {&older(), &newer()}) {
      if (!goes_on) return;
      generation->pending.visit_bucket(bucket, [&](const Candidate& candidate) {
        goes_on = visit(*generation->pending.document(candidate.seq));
        return goes_on;
      });
    }
  }

  // The changes of the next record. Ends come by Tombstones.
  void put_id(const IdKey& key, const IdRow& row) { newer().pending.put_id(key, row); }
  void erase_id(const IdKey& key) { newer().pending.erase_id(key); }
  // Adds a document with this text and these keys of its bands. Copies the text where texts are
  // kept.
  void add(DocumentRow row, std::string_view text, std::span<const std::uint64_t> buckets);

 private:
  struct Generation {
    explicit Generation(Tombstones& tombstones) : pending(tombstones) {}
    void clear();

    Pending pending;
    std::unordered_set<Seq> ended;  // by its records
    std::deque<std::string> texts;
  };

  void on_tombstone(const Tombstone& tombstone) override { newer().ended.insert(tombstone.seq); }

  Generation& newer() { return generations_[newer_]; }
  const Generation& newer() const { return generations_[newer_]; }
  Generation& older() { return generations_[1 - newer_]; }
  const Generation& older() const { return generations_[1 - newer_]; }

  bool keeps_texts_;
  std::array<Generation, 2> generations_;
  std::size_t newer_ = 0;
  Seq base_;
  Seq split_;  // the newer generation has the records behind it
};

}  // namespace neardup
