// What the batch at hand has changed so far and the store does not know yet. Look-ups of later
// documents of the batch see the store and this on top of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "pipeline/core/types.h"
#include "storage/store.h"

namespace neardup {

class Pending {
 public:
  enum class Id { kUntouched, kErased, kPut };

  // What this batch says of an id; `row` is set for kPut.
  Id find_id(const IdKey& key, IdRow& row) const;
  void put_id(const IdKey& key, const IdRow& row);
  void erase_id(const IdKey& key);

  // A document of this batch that is still live, or null.
  const DocumentPut* document(Seq seq) const;

  // How many postings this batch put into a bucket, of ended documents too.
  std::size_t bucket_size(const Bucket& bucket) const;

  // Calls visit(seq) for each of them, oldest first, until it returns false.
  template <class Visit>
  void visit_bucket(const Bucket& bucket, Visit visit) const {
    const auto it = buckets_.find(bucket);
    if (it == buckets_.end()) return;
    for (std::uint32_t at = it->second.first; at != kNoLink; at = links_[at].next) {
      if (!visit(links_[at].seq)) return;
    }
  }

  // A new document with all its postings.
  void add(DocumentPut put, std::vector<Posting> postings);

  // A document ends: one of this batch, or one of the store with its postings.
  void end_pending(Seq seq);
  void end_stored(Seq seq, std::vector<Posting> postings);
  bool ended(Seq seq) const { return ended_.contains(seq); }

  // All changes, in the order of their seqs; the rows stay in here until `clear`.
  void fill(WriteSet& writes) const;
  void clear();

 private:
  struct Key {
    std::size_t operator()(const IdKey& key) const;
    std::size_t operator()(const Bucket& bucket) const { return bucket.key ^ bucket.band; }
  };
  struct Entry {
    IdRow row;
    bool erased = false;
  };
  static constexpr std::uint32_t kNoLink = ~std::uint32_t{0};
  struct Link {
    Seq seq;
    std::uint32_t next;
  };
  struct Chain {
    std::uint32_t first;
    std::uint32_t last;
    std::uint32_t size;
  };

  void link(const Posting& posting);

  std::unordered_map<IdKey, Entry, Key> ids_;
  std::unordered_map<Seq, std::size_t> place_;  // live documents only → index into documents_
  std::vector<DocumentPut> documents_;
  std::vector<std::vector<Posting>> postings_;  // of documents_
  std::unordered_map<Bucket, Chain, Key> buckets_;
  std::vector<Link> links_;
  std::unordered_set<Seq> ended_;
  std::vector<Posting> ended_postings_;
};

}  // namespace neardup
