#include "storage/rocksdb_store.h"

#include <rocksdb/db.h>
#include <rocksdb/version.h>
#include <rocksdb/write_batch.h>

#include <algorithm>

#include "pipeline/core/failure.h"
#include "storage/format.h"
#include "storage/rocksdb_compact.h"
#include "storage/rocksdb_read.h"
#include "storage/rocksdb_state.h"
#include "storage/rocksdb_write.h"
#include "storage/state_directory.h"
#include "storage/text_codec.h"

namespace neardup {
namespace {

using rocksdb::Slice;
using rocksdb::Status;

constexpr std::string_view kCountsKey = "counts";

// How many more keys there will be once `erased` and then `put` (both without `place`) are applied.
std::uint64_t added_keys(RocksdbState& state, Family family, std::vector<KeyLookup> erased,
                         std::vector<KeyLookup> put) {
  const auto sort_unique = [](std::vector<KeyLookup>& keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  };
  sort_unique(put);
  std::uint64_t added = put.size();
  std::move(put.begin(), put.end(), std::back_inserter(erased));
  sort_unique(erased);
  find_keys(state, family, erased, [&added](const KeyLookup&, std::string_view) { --added; });
  return added;  // modulo 2^64: fewer keys are a negative number
}

KeyLookup document_lookup(Seq seq, std::size_t place) {
  const DocumentKey key = encode_document_key(seq);
  return {std::string(key.data(), key.size()), place};
}

std::uint64_t added_documents(RocksdbState& state, const WriteSet& writes) {
  std::vector<KeyLookup> erased;
  std::vector<KeyLookup> put;
  for (const Seq seq : writes.erase_documents) erased.push_back(document_lookup(seq, 0));
  for (const DocumentPut& document : writes.documents) {
    put.push_back(document_lookup(document.row.seq, 0));
  }
  return added_keys(state, Family::kDocs, std::move(erased), std::move(put));
}

std::uint64_t added_ids(RocksdbState& state, const WriteSet& writes) {
  std::vector<KeyLookup> erased;
  std::vector<KeyLookup> put;
  for (const IdKey& key : writes.erase_ids) erased.push_back({encode_id_key(key), 0});
  for (const auto& [key, row] : writes.ids) put.push_back({encode_id_key(key), 0});
  return added_keys(state, Family::kIds, std::move(erased), std::move(put));
}

class RocksdbStore : public Store {
 public:
  RocksdbStore(const StorageOptions& options, OpenMode mode) : state_(options, mode) {
    if (options.keep_texts) keep_texts_ = &codec_;
    write_options_.sync = !options.temporary;
    write_options_.disableWAL = options.temporary;
    if (const auto value = get(Family::kDefault, kCountsKey)) {
      const auto counts = decode_counts(*value);
      if (!counts) state_.damaged("the counts");
      counts_ = *counts;
    }
  }

  void postings(std::span<const Bucket> buckets, Seq after, std::size_t limit,
                std::vector<PostingList>& lists) override {
    find_postings(state_, buckets, after, limit, lists);
  }

  void documents(std::span<const Seq> seqs,
                 std::vector<std::optional<DocumentRow>>& rows) override {
    rows.assign(seqs.size(), {});
    std::vector<KeyLookup> lookups;
    for (const Seq seq : seqs) lookups.push_back(document_lookup(seq, lookups.size()));
    find_keys(state_, Family::kDocs, lookups, [&](const KeyLookup& lookup, std::string_view value) {
      std::optional<DocumentRow>& row = rows[lookup.place];
      row = decode_document(seqs[lookup.place], value);
      if (!row) state_.damaged("a document");
    });
  }

  void ids(std::span<const IdKey> keys, std::vector<std::optional<IdRow>>& rows) override {
    rows.assign(keys.size(), {});
    std::vector<KeyLookup> lookups;
    for (const IdKey& key : keys) lookups.push_back({encode_id_key(key), lookups.size()});
    find_keys(state_, Family::kIds, lookups, [&](const KeyLookup& lookup, std::string_view value) {
      std::optional<IdRow>& row = rows[lookup.place];
      row = decode_id(value);
      if (!row) state_.damaged("an id");
    });
  }

  std::optional<std::string> text(Seq seq) override {
    const DocumentKey key = encode_document_key(seq);
    const auto stored = get(Family::kTexts, {key.data(), key.size()});
    if (!stored) return {};
    auto text = codec_.decode(*stored);
    if (!text) state_.damaged("a text");
    return text;
  }

  std::optional<std::string> meta(std::string_view key) override { return get(Family::kMeta, key); }

  std::vector<std::pair<std::string, std::string>> meta_with_prefix(
      std::string_view prefix) override {
    std::vector<std::pair<std::string, std::string>> found;
    const std::unique_ptr<rocksdb::Iterator> at(
        state_.db().NewIterator({}, state_.family(Family::kMeta)));
    for (at->Seek(Slice(prefix)); at->Valid() && at->key().starts_with(Slice(prefix)); at->Next()) {
      found.emplace_back(at->key().ToString(), at->value().ToString());
    }
    state_.check(at->status(), "reading");
    return found;
  }

  std::optional<std::string> outbox(std::uint64_t batch) override {
    if (!state_.has(Family::kOutbox)) return {};
    const OutboxKey key = encode_outbox_key(batch);
    auto value = get(Family::kOutbox, {key.data(), key.size()});
    if (value && value->empty()) state_.damaged("a batch of the outbox");
    return value;
  }

  void commit(const WriteSet& writes) override {
    state_.check_background();
    StoredCounts counts = counts_;
    counts.documents += added_documents(state_, writes);
    counts.ids += added_ids(state_, writes);
    rocksdb::WriteBatch batch;
    add_writes(state_, writes, keep_texts_, batch);
    state_.check(
        batch.Put(state_.family(Family::kDefault), Slice(kCountsKey), encode_counts(counts)),
        "gathering a batch");
    state_.check(state_.db().Write(write_options_, &batch), "writing");
    counts_ = counts;
  }

  StoreStats stats() override {
    StoreStats stats;
    stats.documents = counts_.documents;
    stats.ids = counts_.ids;
    state_.db().GetIntProperty(state_.family(Family::kIndex),
                               rocksdb::DB::Properties::kEstimateNumKeys, &stats.postings);
    state_.db().GetIntProperty(rocksdb::DB::Properties::kBlockCacheUsage, &stats.memory_bytes);
    stats.disk_bytes = directory_bytes(state_.path());
    return stats;
  }

  void compact() override {
    drop_dead_postings(state_, write_options_);
    rocksdb::CompactRangeOptions everything;
    everything.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
    for (rocksdb::ColumnFamilyHandle* family : state_.families()) {
      state_.check(state_.db().CompactRange(everything, family, nullptr, nullptr), "compacting");
    }
    state_.check_background();
  }

 private:
  std::optional<std::string> get(Family family, std::string_view key) {
    std::string value;
    const Status status = state_.db().Get({}, state_.family(family), Slice(key), &value);
    if (status.IsNotFound()) return {};
    state_.check(status, "reading");
    return value;
  }

  RocksdbState state_;
  TextCodec codec_;
  TextCodec* keep_texts_ = nullptr;  // to codec_, or null: texts are not kept
  rocksdb::WriteOptions write_options_;
  StoredCounts counts_;
};

}  // namespace

std::unique_ptr<Store> open_rocksdb_store(const StorageOptions& options, OpenMode mode) {
  return std::make_unique<RocksdbStore>(options, mode);
}

std::string rocksdb_version() { return rocksdb::GetRocksVersionAsString(); }

void destroy_rocksdb_state(const std::string& path) {
  const Status status = rocksdb::DestroyDB(path, rocksdb::Options());
  if (status.ok()) return;
  throw Failure(Exit::kIo, "state " + path + " could not be removed: " + status.ToString());
}

}  // namespace neardup
