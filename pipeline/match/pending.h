// The changes of the current batch that the store does not have yet. Later documents of the batch
// see the store with these changes on top.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/match/pending_buckets.h"
#include "pipeline/match/pending_ids.h"
#include "pipeline/model/candidate.h"
#include "pipeline/model/types.h"
#include "pipeline/retention/tombstones.h"
#include "storage/store.h"

namespace neardup {

class Pending : private TombstoneListener {
 public:
  explicit Pending(Tombstones& tombstones) : tombstones_(tombstones) { tombstones.listen(*this); }

  enum class Id { kUntouched, kErased, kPut };

  // How this batch has changed an id; `row` is set for kPut.
  Id find_id(const IdKey& key, IdRow& row) const;
  // `text` is kept for a document without a row; empty: none is. It must live until the batch is
  // committed.
  void put_id(IdKey key, const IdRow& row, std::string_view text = {});
  void erase_id(const IdKey& key);
  // `row`, the current version of the id, is replaced or deleted. To be followed by `put_id` or
  // `erase_id`.
  void end_version(const IdKey& key, const IdRow& row);

  // Has this batch put the document? It need not be live any more.
  bool holds(Seq seq) const { return number_of(seq) != kNone; }

  // A document of this batch that is still live, or null.
  const DocumentPut* document(Seq seq) const;

  // Its sketches; null where `document` is null.
  const Candidate* candidate(Seq seq) const;

  // The address that a look-up reads first.
  const void* address(const Bucket& bucket) const { return buckets_.address(bucket); }
  const void* address(std::string_view name_space, std::string_view id) const {
    return ids_.address(name_space, id);
  }

  // For GroupBuckets, which finds the buckets of many documents at once.
  void reserve_columns(std::size_t columns) { buckets_.reserve(columns); }
  BucketColumn& column(std::size_t number) { return buckets_.column(number); }

  // How many documents this batch has put into a bucket; some may not be live any more.
  std::size_t size_at(const PendingBuckets::At& at) const { return buckets_.size(at); }
  std::size_t bucket_size(const Bucket& bucket) const { return size_at(buckets_.find(bucket)); }

  // Calls visit(candidate) for each live document that this batch has put into a bucket, oldest
  // first, until it returns false. Documents of other buckets may be among them, as hints.
  template <class Visit>
  void visit_at(const PendingBuckets::At& at, Visit visit) {
    buckets_.visit(
        at, [this](std::uint32_t number) { return is_live(number); },
        [&](std::uint32_t number) { return visit(candidates_[number]); });
  }
  template <class Visit>
  void visit_bucket(const Bucket& bucket, Visit visit) {
    visit_at(buckets_.find(bucket), visit);
  }

  // Adds a document, which `visit_bucket` finds in the buckets of its index entry. Seqs ascend.
  void add(DocumentPut put);
  // The same where these are its buckets: its key in band m at [m].
  void add(DocumentPut put, std::span<const std::uint64_t> buckets);
  // The same where the content bucket is at `content`, and that of band m at `band(m)`.
  template <class Band>
  void add(DocumentPut put, const PendingBuckets::At& content, Band band) {
    const auto number = static_cast<std::uint32_t>(documents_.size());
    const auto bands = static_cast<std::uint32_t>(put.index.buckets.size());
    buckets_.add(content, number);
    for (std::uint32_t m = 0; m < bands; ++m) buckets_.add(band(m), number);
    add_unlisted(std::move(put));
  }
  // Adds a document that no bucket has.
  void add_unlisted(DocumentPut put);

  // Moves all changes out, documents in the order of their seqs. To be followed by `clear`.
  void fill(WriteSet& writes);
  void clear();

 private:
  void on_tombstone(const Tombstone& tombstone) override;

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  bool is_live(std::uint32_t number) const {
    return live_[number] && !tombstones_.expired(candidates_[number].seq);
  }
  // The number of a document of this batch, live or not, or kNone.
  std::uint32_t number_of(Seq seq) const {
    return seq < first_seq_ || seq - first_seq_ >= numbers_.size() ? kNone
                                                                   : numbers_[seq - first_seq_];
  }
  // The number of a live document of this batch, or kNone.
  std::uint32_t live_number_of(Seq seq) const {
    const std::uint32_t number = number_of(seq);
    return number != kNone && is_live(number) ? number : kNone;
  }

  const Tombstones& tombstones_;
  PendingIds ids_;
  std::vector<DocumentPut> documents_;
  std::vector<bool> live_;              // of documents_
  std::vector<Candidate> candidates_;   // of documents_
  Seq first_seq_ = 0;                   // of documents_
  std::vector<std::uint32_t> numbers_;  // seq − first_seq_ → index into documents_, or kNone
  PendingBuckets buckets_;
  std::vector<Seq> erased_;  // documents of the store
  std::vector<std::pair<IdKey, IdRow>> ended_ids_;
};

}  // namespace neardup
