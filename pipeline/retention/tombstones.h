// Documents that have ended (were replaced, deleted or forgotten) although the store may still hold
// them. This is the only place where a document ends.
//
// A new version of an id, a delete record, a delete by command on the running service, a delete
// that a restored state repeats, and retention all call `add` or `expire` here; nothing else does.
// Each class that caches data of live documents is a TombstoneListener. Only Tombstones can call
// the listener, so no other path can end a document in one cache and not in the others.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "pipeline/model/types.h"

namespace neardup {

// Who removes the rows of a document from the store.
enum class ErasedBy : std::uint8_t {
  kBatch,    // the batch that is being decided
  kCommand,  // a command, between two batches, in a separate commit
};

// One document that was replaced or deleted.
struct Tombstone {
  Seq seq = 0;
  std::uint32_t text_bytes = 0;  // of its normalised text
  ErasedBy erased_by = ErasedBy::kBatch;
};

class TombstoneListener {
 public:
  TombstoneListener(const TombstoneListener&) = delete;
  TombstoneListener& operator=(const TombstoneListener&) = delete;

 protected:
  TombstoneListener() = default;
  ~TombstoneListener() = default;

 private:
  friend class Tombstones;
  virtual void on_tombstone(const Tombstone& tombstone) = 0;
};

class Tombstones {
 public:
  // Requires: `listener` outlives the last call of `add`.
  void listen(TombstoneListener& listener) { listeners_.push_back(&listener); }

  // Ends a document. Calls every listener before it returns.
  void add(const Tombstone& tombstone) {
    ended_.insert(tombstone.seq);
    for (TombstoneListener* listener : listeners_) listener->on_tombstone(tombstone);
  }

  // Retention: every document and id of a smaller seq ends.
  void expire(Seq before) { expired_before_ = before; }

  bool expired(Seq seq) const { return seq < expired_before_; }
  Seq expired_before() const { return expired_before_; }
  // Has this document ended? Documents that were erased from the store in earlier commits are not
  // known here, except the expired ones.
  bool ended(Seq seq) const { return expired(seq) || ended_.contains(seq); }

  // The batch is in the store, without the documents that have ended.
  void committed() { ended_.clear(); }

 private:
  std::vector<TombstoneListener*> listeners_;
  std::unordered_set<Seq> ended_;  // since the last commit
  Seq expired_before_ = 0;
};

}  // namespace neardup
