#include "storage/rocksdb_store.h"

#include <rocksdb/db.h>
#include <rocksdb/version.h>
#include <rocksdb/write_batch.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <future>
#include <utility>

#include "pipeline/base/failure.h"
#include "pipeline/base/mutex.h"
#include "storage/bytes.h"
#include "storage/control_group.h"
#include "storage/format.h"
#include "storage/identity.h"
#include "storage/index/id_lookup.h"
#include "storage/index/index.h"
#include "storage/index/one_bit/namespace_tags.h"
#include "storage/index/one_bit/one_bit_files.h"
#include "storage/rocksdb/copies.h"
#include "storage/rocksdb/expire.h"
#include "storage/rocksdb/open_writes.h"
#include "storage/rocksdb/read.h"
#include "storage/rocksdb/state.h"
#include "storage/rocksdb/state_directory.h"
#include "storage/rocksdb/stats.h"
#include "storage/rocksdb/stored_end.h"
#include "storage/rocksdb/text_codec.h"
#include "storage/rocksdb/write.h"

namespace neardup {
namespace {

using rocksdb::Slice;

// The families that RocksDB compacts. The index manages the files of the others.
constexpr std::array kRowFamilies = {Family::kDefault, Family::kMeta,  Family::kDocs,
                                     Family::kIds,     Family::kTexts, Family::kOutbox,
                                     Family::kEnded,   Family::kCopies};
constexpr std::string_view kCountsKey = "counts";

constexpr std::string_view kExpiredKey = "expired_before";
constexpr std::size_t kWorthAThread = 256;  // documents of a commit that is not synced
constexpr Seq kReclaimedAtOnce = 1 << 16;   // since range deletions slow down every look-up

class RocksdbStore : public Store {
 public:
  RocksdbStore(const StorageOptions& options, OpenMode mode)
      : state_(options, mode),
        index_(state_, plan_memory(options.memory), thread_count(options.threads), mode) {
    const bool keeps = options.keep_texts != KeepTexts::kNone;
    if (keeps) texts_.keep = &codec_;
    texts_.any = keeps || holds_texts();
    if (const auto value = get(Family::kDefault, kCountsKey)) {
      const auto counts = decode_counts(*value);
      if (!counts) state_.damaged("the counts");
      counts_ = *counts;
    }
    if (const auto value = get(Family::kDefault, kExpiredKey)) {
      ByteReader reader(*value);
      expired_before_ = reader.little_endian(8);
      if (!reader.finished()) state_.damaged("the watermark of retention");
      reclaimed_before_ = expired_before_;  // perhaps less; the next reclaim takes the rest
      index_.expire(expired_before_);
    }
    publish();
  }

  void set_index(const MakeIndexEntry& make) override { index_.set_make(make); }

  void postings(std::span<const Bucket> buckets, Seq after, std::size_t limit,
                PostingLists& lists) override {
    std::vector<Probe> probes;
    probes.reserve(buckets.size());
    for (const Bucket& bucket : buckets) probes.push_back({column_of(bucket), hash_of(bucket)});
    index_.find(probes, std::max(after, last_expired()), limit, lists);
  }

  const std::uint64_t* one_bit(Seq seq) override { return index_.one_bit(seq); }

  std::shared_ptr<const SketchView> sketches() override { return index_.sketches(); }

  void documents(std::span<const Seq> seqs,
                 std::vector<std::optional<DocumentRow>>& rows) override {
    find_documents(state_, seqs, expired_before_, rows);
    for (std::size_t i = 0; i < seqs.size(); ++i) {
      if (open_writes_.ends(seqs[i])) rows[i].reset();
      if (const DocumentRow* row = open_writes_.document(seqs[i])) rows[i] = *row;
    }
  }

  void ids(std::span<const IdKey> keys, std::vector<std::optional<IdRow>>& rows) override {
    find_ids(state_, index_, open_writes_, keys, expired_before_, rows);
  }

  std::optional<IdRow> find_id(const IdKey& key) override {
    return neardup::find_id(state_, index_, key);
  }

  std::vector<std::pair<IdKey, IdRow>> copies(Seq original, Seq from, std::size_t limit) override {
    if (original < published_expiry()) return {};
    return read_copies(state_, original, from, limit);
  }

  std::vector<DocumentGroup> largest_groups(std::size_t limit) override {
    return find_largest_groups(state_, published_expiry(), limit);
  }

  void ages(Seq from, std::size_t limit, std::vector<Age>& ages) override {
    finish_commit();
    read_ages(state_, std::max(from, expired_before_), limit, ages);
  }

  std::optional<std::string> text(Seq seq) override {
    if (seq < expired_before_ || open_writes_.ends(seq)) return {};
    if (texts_.keep != nullptr) {
      if (auto text = open_writes_.text(seq)) return text;
    }
    const RowKey key = encode_row_key(seq);
    const auto stored = get(Family::kTexts, {key.data(), key.size()});
    if (!stored) return {};
    auto text = codec_.decode(*stored);
    if (!text) state_.damaged("a text");
    return text;
  }

  std::optional<std::string> meta(std::string_view key) override { return get(Family::kMeta, key); }

  std::vector<std::pair<std::string, std::string>> meta_with_prefix(
      std::string_view prefix) override {
    finish_commit();
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
    finish_commit();
    const OutboxKey key = encode_outbox_key(batch);
    auto value = get(Family::kOutbox, {key.data(), key.size()});
    if (value && value->empty()) state_.damaged("a batch of the outbox");
    return value;
  }

  void commit(const WriteSet& writes) override {
    begin_commit(writes, {});
    finish_commit();
  }

  void begin_commit(const WriteSet& writes, std::function<void()> done) override {
    finish_commit();
    state_.check_background();
    index_.prepare();
    const Seq expired = std::max(expired_before_, writes.expired_before);
    open_ = {.writes = &writes,
             .counts = counts_after(writes, expired),
             .expired = expired,
             .reclaims = expired >= reclaimed_before_ + kReclaimedAtOnce,
             .rows = {}};
    rows_ended_ = false;
    const bool pays = writes.documents.size() >= kWorthAThread || !state_.temporary();
    const auto policy = pays ? std::launch::async : std::launch::deferred;
    open_.rows = std::async(policy, [this, open = open_, done = pays ? std::move(done) : nullptr] {
                   const AtEnd at_end{rows_ended_, done};
                   write_rows(open);
                 }).share();
    if (!pays) open_.rows.wait();
    index_.add(writes, [this] { open_.rows.get(); });
    counts_ = open_.counts;
    expired_before_ = expired;
    open_writes_.open(writes);
  }

  bool commit_has_ended() override {
    return !open_.rows.valid() || rows_ended_.load(std::memory_order_acquire);
  }

  void finish_commit() override {
    if (!open_.rows.valid()) return;
    const OpenCommit open = std::exchange(open_, {});
    open_writes_.close();
    open.rows.get();
    index_.publish(*open.writes);
    ended_ += open.writes->erase_documents.size();
    if (open.reclaims) reclaimed(open.expired);
    publish();
  }

  void rebuild_index(const MakeIndexEntry& make,
                     const std::vector<std::pair<std::string, std::string>>& meta,
                     const std::function<void(Seq)>& progress) override {
    std::string purpose;
    ByteWriter writer(purpose);
    for (const auto& [key, value] : meta) {
      writer.bytes(key);
      writer.bytes(value);
    }
    writer.bytes(current_format());
    WriteSet writes;
    writes.meta = meta;
    writes.meta.emplace_back(kFormatKey, current_format());
    put_missing_copies(state_);
    rocksdb::WriteBatch batch;
    add_writes(state_, writes, {}, batch);
    index_.rebuild(make, XXH3_64bits(purpose.data(), purpose.size()), progress, batch);
    state_.write(batch, "writing");
  }

  void checkpoint(const std::string& path) override {
    finish_commit();
    state_.checkpoint(path);
  }

  StoreSize size() override {
    finish_commit();
    StoreSize size;
    size.documents = counts_.documents;
    size.ids = counts_.ids;
    size.postings = index_.postings();
    state_.db().GetIntProperty(rocksdb::DB::Properties::kBlockCacheUsage, &size.memory_bytes);
    size.memory_bytes += index_.memory_bytes();
    size.disk_bytes = directory_bytes(state_.path());
    return size;
  }

  StoreStats stats() override {
    StoreStats stats;
    {
      const MutexLock lock(published_mutex_);
      stats = published_;
    }
    stats.index = index_.stats();
    stats.database = read_database(state_);
    stats.disk_bytes = directory_bytes(state_.path());
    return stats;
  }

  CommitWait commit_wait() override { return index_.commit_wait(); }

  void compact() override {
    finish_commit();
    if (expired_before_ > 0) {
      rocksdb::WriteBatch batch;
      reclaim(expired_before_, batch);
      state_.write(batch, "compacting");
      reclaimed(expired_before_);
    }
    index_.merge_all();
    rocksdb::CompactRangeOptions everything;
    everything.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
    for (const Family family : kRowFamilies) {
      state_.check(state_.db().CompactRange(everything, state_.family(family), nullptr, nullptr),
                   "compacting");
    }
    state_.check_background();
  }

 private:
  // An earlier run may have kept texts.
  bool holds_texts() {
    bool any = false;
    scan_rows(state_, Family::kTexts, 0, [&](Seq, std::string_view) {
      any = true;
      return false;
    });
    return any;
  }

  std::optional<std::string> get(Family family, std::string_view key) {
    std::string value;
    const rocksdb::Status status = state_.db().Get({}, state_.family(family), Slice(key), &value);
    if (status.IsNotFound()) return {};
    state_.check(status, "reading");
    return value;
  }

  void put(rocksdb::WriteBatch& batch, std::string_view key, const std::string& value) {
    state_.check(batch.Put(state_.family(Family::kDefault), Slice(key), value),
                 "gathering a batch");
  }

  void put(rocksdb::WriteBatch& batch, std::string_view key, Seq seq) {
    std::string value;
    ByteWriter(value).little_endian(seq, 8);
    put(batch, key, value);
  }

  // The counts after `writes`, with all seqs below `expired` expired.
  StoredCounts counts_after(const WriteSet& writes, Seq expired) {
    StoredCounts counts = counts_;
    counts.documents += writes.documents.size() - writes.erase_documents.size();
    counts.ids += writes.ids.size() - writes.erase_ids.size();
    if (expired == expired_before_) return counts;
    StoredCounts gone = count_rows(state_, expired_before_, expired);
    // Rows that `writes` erases are subtracted above already.
    for (const Seq seq : writes.erase_documents) gone.documents -= seq < expired ? 1 : 0;
    for (const auto& [key, row] : writes.erase_ids) gone.ids -= row.seq < expired ? 1 : 0;
    counts.documents -= gone.documents;
    counts.ids -= gone.ids;
    expired_ += gone.documents;
    return counts;
  }

  // A commit that has begun.
  struct OpenCommit {
    const WriteSet* writes = nullptr;
    StoredCounts counts;
    Seq expired = 0;
    bool reclaims = false;
    std::shared_future<void> rows;  // invalid: there is no such commit
  };

  // Tells that the rows are written, or have failed, when it is destroyed.
  struct AtEnd {
    std::atomic<bool>& ended;
    const std::function<void()>& call;  // or empty
    ~AtEnd() {
      ended.store(true, std::memory_order_release);
      if (call) call();
    }
  };

  void write_rows(const OpenCommit& open) {
    batch_.Clear();
    add_writes(state_, *open.writes, texts_, batch_);
    put(batch_, kCountsKey, encode_counts(open.counts));
    put(batch_, kExpiredKey, open.expired);
    if (open.reclaims) reclaim(open.expired, batch_);
    state_.write(batch_, "writing");
    state_.committed();
  }

  // Copies the counts to where other threads may read them.
  void publish() {
    const MutexLock lock(published_mutex_);
    published_.documents = counts_.documents;
    published_.ids = counts_.ids;
    published_.documents_ended = ended_;
    published_.documents_expired = expired_;
    published_.expired_before = expired_before_;
  }

  Seq published_expiry() {
    const MutexLock lock(published_mutex_);
    return published_.expired_before;
  }

  void reclaim(Seq before, rocksdb::WriteBatch& batch) {
    erase_expired(state_, before, batch);
    erase_tags(state_, before, batch);
  }

  void reclaimed(Seq before) {
    drop_expired_files(state_, before);
    drop_one_bits(state_, before);
    reclaimed_before_ = before;
  }

  Seq last_expired() const { return expired_before_ == 0 ? 0 : expired_before_ - 1; }

  RocksdbState state_;
  Index index_;
  TextCodec codec_;
  StoredTexts texts_;
  rocksdb::WriteBatch batch_;             // of a commit; reused for its memory
  std::atomic<bool> rows_ended_ = false;  // of open_
  OpenCommit open_;
  OpenWrites open_writes_;
  StoredCounts counts_;
  Seq expired_before_ = 0;    // retention: smaller seqs are expired
  Seq reclaimed_before_ = 0;  // the rows of smaller seqs are erased
  std::uint64_t ended_ = 0;   // documents deleted or replaced since the store was opened
  std::uint64_t expired_ = 0;
  Mutex published_mutex_;
  StoreStats published_ GUARDED_BY(published_mutex_);
};

}  // namespace

std::unique_ptr<Store> open_rocksdb_store(const StorageOptions& options, OpenMode mode) {
  return std::make_unique<RocksdbStore>(options, mode);
}

std::string rocksdb_version() { return rocksdb::GetRocksVersionAsString(); }

void destroy_rocksdb_state(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(end_path(path), ignored);
  const rocksdb::Status status = rocksdb::DestroyDB(path, rocksdb::Options());
  if (status.ok()) return;
  throw Failure(Exit::kIo, "state " + path + " could not be removed: " + status.ToString());
}

}  // namespace neardup
