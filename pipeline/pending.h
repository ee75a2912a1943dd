// What the batch at hand has changed so far and the store does not know yet. Look-ups of later
// documents of the batch see the store and this on top of it.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "pipeline/core/types.h"
#include "pipeline/nominee.h"
#include "pipeline/pending_buckets.h"
#include "storage/store.h"

namespace neardup {

class Pending {
 public:
  enum class Id { kUntouched, kErased, kPut };

  // What this batch says of an id; `row` is set for kPut.
  Id find_id(const IdKey& key, IdRow& row) const;
  void put_id(const IdKey& key, const IdRow& row);
  void erase_id(const IdKey& key);
  // The version that the store holds ends.
  void end_stored_id(const IdKey& key, Seq seq);

  // A document of this batch that is still live, or null.
  const DocumentPut* document(Seq seq) const;

  // Its sketches; null where `document` is null.
  const Candidate* candidate(Seq seq) const;

  // What is read first of a bucket.
  const void* address(const Bucket& bucket) const { return buckets_.address(bucket); }

  // How many documents this batch put into a bucket; some may have ended.
  std::size_t bucket_size(const Bucket& bucket) const { return buckets_.size(bucket); }

  // Calls visit(candidate) for each live document that this batch put into a bucket, oldest first,
  // until it returns false. Another bucket's may be among them: they are hints.
  template <class Visit>
  void visit_bucket(const Bucket& bucket, Visit visit) {
    buckets_.visit(
        bucket, [this](std::uint32_t number) { return is_live(number); },
        [&](std::uint32_t number) { return visit(candidates_[number]); });
  }

  // A new document. Seqs ascend.
  void add(DocumentPut put);

  // A document ends: one of this batch, or one of the store.
  void end_pending(Seq seq);
  void end_stored(Seq seq);
  bool ended(Seq seq) const { return expired(seq) || ended_.contains(seq); }
  const std::unordered_set<Seq>& ended_documents() const { return ended_; }  // of the store

  // All documents and ids of smaller seqs are gone, of this batch and of the store; for good.
  void expire(Seq before) { expired_before_ = before; }
  bool expired(Seq seq) const { return seq < expired_before_; }

  // Changes when a document ends before its time, here or in the store.
  std::uint64_t ends() const { return ends_; }

  // Moves all changes out, documents in the order of their seqs. To be followed by `clear`.
  void fill(WriteSet& writes);
  void clear();

 private:
  struct Key {
    std::size_t operator()(const IdKey& key) const;
  };
  struct Entry {
    IdRow row;
    bool erased = false;
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  bool is_live(std::uint32_t number) const {
    return live_[number] && !expired(candidates_[number].seq);
  }
  // The number of a document of this batch, dead or alive, or kNone.
  std::uint32_t number_of(Seq seq) const {
    return seq < first_seq_ || seq - first_seq_ >= numbers_.size() ? kNone
                                                                   : numbers_[seq - first_seq_];
  }
  // The same of a live one.
  std::uint32_t live_number_of(Seq seq) const {
    const std::uint32_t number = number_of(seq);
    return number != kNone && is_live(number) ? number : kNone;
  }

  std::unordered_map<IdKey, Entry, Key> ids_;
  std::vector<DocumentPut> documents_;
  std::vector<bool> live_;              // of documents_
  std::vector<Candidate> candidates_;   // of documents_
  Seq first_seq_ = 0;                   // of documents_
  std::vector<std::uint32_t> numbers_;  // seq − first_seq_ → index into documents_, or kNone
  PendingBuckets buckets_;
  std::unordered_set<Seq> ended_;
  std::vector<std::pair<IdKey, Seq>> ended_ids_;
  std::uint64_t ends_ = 0;
  Seq expired_before_ = 0;
};

}  // namespace neardup
