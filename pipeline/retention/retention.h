// Retention: expiry of the oldest documents. Documents expire in the order of their seqs, so one
// number separates them from the rest, the watermark: all documents and ids of smaller seqs have
// expired.
//
// Before each record is decided, the watermark moves to the smallest seq at which all of this
// holds:
// - the document is at most `max_age_ms` old in stream time,
// - it is one of the last `max_documents` arrivals before the record, of any kind,
// - the live documents from there on have at most `max_bytes` of normalised text.
// The watermark never moves back. It does not depend on where batches end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_set>
#include <vector>

#include "pipeline/retention/stream_time.h"
#include "pipeline/retention/tombstones.h"
#include "pipeline/rule/options.h"
#include "storage/store.h"

namespace neardup {

class Retention final : private TombstoneListener {
 public:
  // Reads the ages of the live documents and ids of seqs >= from, oldest first, at most `limit`, as
  // of the last commit. Those that have ended since may be missing.
  using ReadAges = std::function<void(Seq from, std::size_t limit, std::vector<Age>& ages)>;
  // Where it continues. bytes: of the live documents; counted with max_bytes only.
  struct Start {
    Seq watermark = 0;
    std::uint64_t bytes = 0;
  };

  Retention(const RetentionOptions& options, const Start& start, ReadAges read,
            Tombstones& tombstones);
  // Continues from the watermark of the store, which must outlive this.
  Retention(const RetentionOptions& options, Store& store, Tombstones& tombstones);

  // Expires documents that are too old for record `seq`, which is decided next, at this stream
  // time.
  void advance(Seq seq, const StreamTime& time);

  // Adds an id of this batch, and its document if it has one. Seqs ascend.
  void add(const Age& age);

  // The meta values to store with the batch; `WriteSet::expired_before` is filled by Pending.
  void fill(WriteSet& writes) const;

  // The batch is in the store; a new one begins.
  void committed();

 private:
  void on_tombstone(const Tombstone& tombstone) override;

  // Ages in the order of their seqs; those before `next` have expired.
  struct Ages {
    std::vector<Age> all;
    std::size_t next = 0;
    bool empty() const { return next == all.size(); }
    const Age& front() const { return all[next]; }
    bool forget_bytes(Seq seq);  // false: it is not among them
  };

  bool needs_ages() const { return options_.max_age_ms != 0 || options_.max_bytes != 0; }
  bool too_old(const Age& age, const StreamTime& time) const;
  Ages* oldest();
  void read_ahead();

  RetentionOptions options_;
  ReadAges read_;
  Tombstones& tombstones_;
  Seq watermark_;
  std::uint64_t bytes_;            // of the live documents; with max_bytes only
  std::size_t window_ = 0;         // ages of the store that were read at once
  Ages stored_;                    // those
  bool all_stored_ = false;        // the store has none beyond the window
  Ages pending_;                   // of this batch
  std::unordered_set<Seq> ended_;  // ended in this batch; stored beyond the window
};

// For a commit outside a batch: adds to `writes` the sum of text bytes without the documents that
// it erases.
void count_erased(Store& store, WriteSet& writes);

}  // namespace neardup
