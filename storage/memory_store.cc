#include "storage/memory_store.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "pipeline/core/failure.h"
#include "storage/format.h"
#include "storage/identity.h"

namespace neardup {
namespace {

struct BucketHash {
  std::size_t operator()(const Bucket& bucket) const {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
    return bucket.key ^ bucket.band * kOdd;  // the key is a hash already
  }
};

void insert_sorted(std::vector<Seq>& seqs, Seq seq) {
  const auto at = std::lower_bound(seqs.begin(), seqs.end(), seq);
  if (at == seqs.end() || *at != seq) seqs.insert(at, seq);
}

class MemoryStore : public Store {
 public:
  explicit MemoryStore(bool keep_texts) : keep_texts_(keep_texts) {
    meta_.emplace(kFormatKey, current_format());
    meta_.emplace(kUuidKey, new_uuid());
  }

  void postings(std::span<const Bucket> buckets, Seq after, std::size_t limit,
                std::vector<PostingList>& lists) override {
    lists.resize(buckets.size());
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      lists[i].seqs.clear();
      lists[i].more = false;
      const auto bucket = postings_.find(buckets[i]);
      if (bucket == postings_.end()) continue;
      const std::vector<Seq>& all = bucket->second;
      const auto first = std::upper_bound(all.begin(), all.end(), after);
      const auto rest = static_cast<std::size_t>(all.end() - first);
      const std::size_t count = std::min(limit, rest);
      lists[i].seqs.assign(first, first + static_cast<std::ptrdiff_t>(count));
      lists[i].more = count < rest;
    }
  }

  void documents(std::span<const Seq> seqs,
                 std::vector<std::optional<DocumentRow>>& rows) override {
    rows.assign(seqs.size(), {});
    for (std::size_t i = 0; i < seqs.size(); ++i) {
      if (const auto row = documents_.find(seqs[i]); row != documents_.end()) rows[i] = row->second;
    }
  }

  void ids(std::span<const IdKey> keys, std::vector<std::optional<IdRow>>& rows) override {
    rows.assign(keys.size(), {});
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (const auto row = ids_.find(encode_id_key(keys[i])); row != ids_.end())
        rows[i] = row->second;
    }
  }

  std::optional<std::string> text(Seq seq) override {
    const auto text = texts_.find(seq);
    return text == texts_.end() ? std::nullopt : std::optional(text->second);
  }

  std::optional<std::string> meta(std::string_view key) override {
    const auto value = meta_.find(key);
    return value == meta_.end() ? std::nullopt : std::optional(value->second);
  }

  std::vector<std::pair<std::string, std::string>> meta_with_prefix(
      std::string_view prefix) override {
    std::vector<std::pair<std::string, std::string>> found;
    for (auto at = meta_.lower_bound(prefix); at != meta_.end() && at->first.starts_with(prefix);
         ++at) {
      found.emplace_back(*at);
    }
    return found;
  }

  std::optional<std::string> outbox(std::uint64_t batch) override {
    const auto value = outbox_.find(batch);
    return value == outbox_.end() ? std::nullopt : std::optional(value->second);
  }

  void commit(const WriteSet& writes) override {
    erase(writes);
    put(writes);
  }

  StoreStats stats() override {
    StoreStats stats;
    stats.documents = documents_.size();
    stats.ids = ids_.size();
    for (const auto& [bucket, seqs] : postings_) stats.postings += seqs.size();
    return stats;
  }

  void compact() override {
    for (auto& [bucket, seqs] : postings_) {
      std::erase_if(seqs, [this](Seq seq) { return !documents_.contains(seq); });
    }
    std::erase_if(postings_, [](const auto& bucket) { return bucket.second.empty(); });
  }

 private:
  void erase(const WriteSet& writes) {
    for (const Seq seq : writes.erase_documents) {
      documents_.erase(seq);
      texts_.erase(seq);
    }
    for (const Posting& posting : writes.erase_postings) {
      const auto bucket = postings_.find(posting.bucket);
      if (bucket == postings_.end()) continue;
      std::erase(bucket->second, posting.seq);
      if (bucket->second.empty()) postings_.erase(bucket);
    }
    for (const IdKey& key : writes.erase_ids) ids_.erase(encode_id_key(key));
    for (const std::uint64_t batch : writes.erase_outbox) outbox_.erase(batch);
  }

  void put(const WriteSet& writes) {
    for (const DocumentPut& put : writes.documents) {
      documents_.insert_or_assign(put.row.seq, put.row);
      if (keep_texts_) texts_.insert_or_assign(put.row.seq, std::string(put.text));
    }
    for (const Posting& posting : writes.postings) {
      insert_sorted(postings_[posting.bucket], posting.seq);
    }
    for (const auto& [key, row] : writes.ids) ids_.insert_or_assign(encode_id_key(key), row);
    for (const auto& [key, value] : writes.meta) {
      if (value.empty()) {
        meta_.erase(key);
      } else {
        meta_.insert_or_assign(key, value);
      }
    }
    for (const auto& [batch, value] : writes.outbox) outbox_.insert_or_assign(batch, value);
  }

  bool keep_texts_;
  std::unordered_map<Bucket, std::vector<Seq>, BucketHash> postings_;  // seqs ascending
  std::unordered_map<Seq, DocumentRow> documents_;
  std::unordered_map<Seq, std::string> texts_;
  std::unordered_map<std::string, IdRow> ids_;  // by encoded IdKey
  std::map<std::string, std::string, std::less<>> meta_;
  std::unordered_map<std::uint64_t, std::string> outbox_;
};

}  // namespace

std::unique_ptr<Store> open_memory_store(const StorageOptions& options, OpenMode mode) {
  if (mode == OpenMode::kReadOnly) {
    throw Failure(Exit::kUnavailable, "the memory store keeps no state that could be read");
  }
  return std::make_unique<MemoryStore>(options.keep_texts);
}

}  // namespace neardup
