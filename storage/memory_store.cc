#include "storage/memory_store.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "pipeline/base/failure.h"
#include "pipeline/base/mutex.h"
#include "storage/format.h"
#include "storage/identity.h"
#include "storage/index/one_bit/one_bits.h"
#include "storage/keyed_hash.h"
#include "storage/top_groups.h"

namespace neardup {
namespace {

struct BucketHash {
  std::size_t operator()(const Bucket& bucket) const {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
    return bucket.key ^ bucket.band * kOdd;  // the key is a hash already
  }
};

using ReadRows =
    std::function<void(std::span<const Seq>, std::vector<std::optional<DocumentRow>>&)>;

class MemoryView : public SketchView {
 public:
  MemoryView(const OneBits& bits, Seq end, ReadRows read)
      : runs_(bits.share()), end_(end), read_(std::move(read)) {}

  Seq end() const override { return end_; }
  void visit(Seq from, Seq to,
             const std::function<bool(const SketchBlock&)>& visit) const override {
    runs_.visit(from, std::min(to, end_), visit);
  }
  void look_up(std::span<const Seq> seqs, const VisitSketch& visit) const override {
    runs_.look_up(seqs, [&](std::size_t i, NamespaceTag tag, const std::uint64_t* words) {
      visit(i, seqs[i] < end_ ? tag : 0, words);
    });
  }
  void documents(std::span<const Seq> seqs,
                 std::vector<std::optional<DocumentRow>>& rows) const override {
    read_(seqs, rows);
  }

 private:
  SketchRuns runs_;
  Seq end_;
  ReadRows read_;
};

class MemoryStore : public Store {
 public:
  explicit MemoryStore(bool keeps_texts) : keeps_texts_(keeps_texts) {
    bits_.set_budget(std::numeric_limits<std::uint64_t>::max());
    meta_.emplace(kFormatKey, current_format());
    meta_.emplace(kUuidKey, new_uuid());
  }

  void set_index(const MakeIndexEntry&) override {}

  void postings(std::span<const Bucket> buckets, Seq after, std::size_t limit,
                PostingLists& lists) override {
    lists.clear(buckets.size());
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      const auto bucket = postings_.find(buckets[i]);
      if (bucket == postings_.end()) continue;
      const std::vector<Seq>& all = bucket->second;
      const auto first = std::upper_bound(all.begin(), all.end(), after);
      const auto rest = static_cast<std::size_t>(all.end() - first);
      lists.set(i, {first, std::min(limit, rest)}, rest > limit);
    }
  }

  // Without the mutex: only this thread changes the sketches.
  const std::uint64_t* one_bit(Seq seq) override NO_THREAD_SAFETY_ANALYSIS {
    const auto document = documents_.find(seq);
    if (document == documents_.end() || document->second.sketch.empty()) return nullptr;
    return bits_.get(seq);
  }

  std::shared_ptr<const SketchView> sketches() override {
    const MutexLock lock(published_mutex_);
    const auto read = [this](std::span<const Seq> seqs,
                             std::vector<std::optional<DocumentRow>>& rows) {
      const MutexLock reading(published_mutex_);
      documents(seqs, rows);
    };
    return std::make_shared<const MemoryView>(bits_, end_, read);
  }

  void documents(std::span<const Seq> seqs,
                 std::vector<std::optional<DocumentRow>>& rows) override {
    rows.assign(seqs.size(), {});
    for (std::size_t i = 0; i < seqs.size(); ++i) {
      if (const auto found = documents_.find(seqs[i]); found != documents_.end())
        rows[i] = found->second;
    }
  }

  void ids(std::span<const IdKey> keys, std::vector<std::optional<IdRow>>& rows) override {
    rows.assign(keys.size(), {});
    for (std::size_t i = 0; i < keys.size(); ++i) rows[i] = id(keys[i]);
  }

  std::optional<IdRow> find_id(const IdKey& key) override {
    const MutexLock lock(published_mutex_);
    return id(key);
  }

  std::vector<std::pair<IdKey, IdRow>> copies(Seq original, Seq from, std::size_t limit) override {
    const MutexLock lock(published_mutex_);
    std::vector<std::pair<IdKey, IdRow>> copies;
    for (auto at = copies_.lower_bound({original, from});
         at != copies_.end() && at->first == original && copies.size() < limit; ++at) {
      const StoredId& id = ids_.at(at->second);
      copies.emplace_back(id.key, id.row);
    }
    return copies;
  }

  std::vector<DocumentGroup> largest_groups(std::size_t limit) override {
    const MutexLock lock(published_mutex_);
    TopGroups top(limit);
    for (auto at = copies_.begin(); at != copies_.end();) {
      const auto end = copies_.lower_bound({at->first + 1, 0});
      const auto copies = static_cast<std::uint64_t>(std::distance(at, end));
      const auto original = documents_.find(at->first);
      if (original != documents_.end() && top.wants(copies)) top.add(original->second, copies);
      at = end;
    }
    return top.take();
  }

  void ages(Seq from, std::size_t limit, std::vector<Age>& ages) override {
    ages.clear();
    for (auto at = ids_.lower_bound(from); at != ids_.end() && ages.size() < limit; ++at) {
      const auto document = documents_.find(at->first);
      ages.push_back({at->first, at->second.row.time_ms,
                      document == documents_.end() ? 0 : document->second.text_bytes});
    }
  }

  std::optional<std::string> text(Seq seq) override {
    const auto text = texts_.find(seq);
    return text == texts_.end() ? std::nullopt : std::optional(text->second);
  }

  std::optional<std::string> meta(std::string_view key) override {
    const MutexLock lock(published_mutex_);
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
    const std::size_t before = documents_.size();
    const MutexLock lock(published_mutex_);
    erase(writes);
    published_.documents_ended += writes.erase_documents.size();
    published_.documents_expired += before - documents_.size() - writes.erase_documents.size();
    put(writes);
    published_.documents = documents_.size();
    published_.ids = ids_.size();
    published_.expired_before = std::max(published_.expired_before, writes.expired_before);
    copies_.erase(copies_.begin(), copies_.lower_bound({published_.expired_before, 0}));
  }

  void begin_commit(const WriteSet& writes, std::function<void()>) override { commit(writes); }
  bool commit_has_ended() override { return true; }
  void finish_commit() override {}

  StoreSize size() override {
    StoreSize size;
    size.documents = documents_.size();
    size.ids = ids_.size();
    size.postings = ids_.size();
    for (const auto& [bucket, seqs] : postings_) size.postings += seqs.size();
    return size;
  }

  StoreStats stats() override {
    const MutexLock lock(published_mutex_);
    return published_;
  }

  void compact() override {
    for (auto& [bucket, seqs] : postings_) {
      std::erase_if(seqs, [this](Seq seq) { return !documents_.contains(seq); });
    }
    std::erase_if(postings_, [](const auto& bucket) { return bucket.second.empty(); });
  }

  void rebuild_index(const MakeIndexEntry&, const std::vector<std::pair<std::string, std::string>>&,
                     const std::function<void(Seq)>&) override {
    throw Failure(Exit::kConfig, "the memory store keeps no index that could be rebuilt");
  }

  void checkpoint(const std::string&) override {
    throw Failure(Exit::kConfig, "the memory store keeps no state that could be copied");
  }

 private:
  void erase_id(Seq seq) {
    const auto id = ids_.find(seq);
    if (id == ids_.end()) return;
    seqs_.erase(unique_bytes(id->second.key));
    texts_.erase(id->first);
    copies_.erase({id->second.row.original, id->first});
    ids_.erase(id);
  }

  std::optional<IdRow> id(const IdKey& key) const {
    const auto seq = seqs_.find(unique_bytes(key));
    return seq == seqs_.end() ? std::nullopt : std::optional(ids_.at(seq->second).row);
  }

  void erase_document(Seq seq) REQUIRES(published_mutex_) {
    documents_.erase(seq);
    texts_.erase(seq);
    bits_.erase(seq);
  }

  void erase(const WriteSet& writes) REQUIRES(published_mutex_) {
    for (const Seq seq : writes.erase_documents) erase_document(seq);
    for (const auto& [key, row] : writes.erase_ids) erase_id(row.seq);
    while (!documents_.empty() && documents_.begin()->first < writes.expired_before) {
      erase_document(documents_.begin()->first);
    }
    while (!ids_.empty() && ids_.begin()->first < writes.expired_before) {
      erase_id(ids_.begin()->first);
    }
    for (const std::uint64_t batch : writes.erase_outbox) outbox_.erase(batch);
  }

  void put(const WriteSet& writes) REQUIRES(published_mutex_) {
    for (const DocumentPut& put : writes.documents) put_document(put);
    for (const auto& [key, row] : writes.ids) {
      ids_.insert_or_assign(row.seq, StoredId{key, row});
      seqs_.insert_or_assign(unique_bytes(key), row.seq);
      if (!row.kept) copies_.emplace(row.original, row.seq);
    }
    for (const auto& [seq, text] : writes.texts) {
      if (keeps_texts_) texts_.insert_or_assign(seq, text);
    }
    for (const auto& [key, value] : writes.meta) {
      if (value.empty()) {
        meta_.erase(key);
      } else {
        meta_.insert_or_assign(key, value);
      }
    }
    for (const auto& [batch, value] : writes.outbox) outbox_.insert_or_assign(batch, value);
  }

  void put_document(const DocumentPut& put) REQUIRES(published_mutex_) {
    const Seq seq = put.row.seq;
    end_ = seq + 1;
    if (!put.row.sketch.empty()) {
      bits_.put(seq, namespace_tag(put.row.name_space), put.index.one_bit);
    }
    postings_[content_bucket(put.row.content, put.row.name_space)].push_back(seq);
    for (std::size_t m = 0; m < put.index.buckets.size(); ++m) {
      postings_[{static_cast<std::uint16_t>(m), put.index.buckets[m]}].push_back(seq);
    }
    documents_.emplace(seq, put.row);
    if (keeps_texts_) texts_.emplace(seq, put.text);
  }

  // The owner changes these with published_mutex_ held.
  const bool keeps_texts_;
  std::unordered_map<Bucket, std::vector<Seq>, BucketHash> postings_;  // seqs ascending
  std::map<Seq, DocumentRow> documents_;
  std::map<Seq, std::string> texts_;
  std::map<Seq, StoredId> ids_;
  std::set<std::pair<Seq, Seq>> copies_;                  // original, copy
  std::unordered_map<std::string, Seq, KeyedHash> seqs_;  // by encoded IdKey, of ids_
  std::map<std::string, std::string, std::less<>> meta_;
  std::unordered_map<std::uint64_t, std::string> outbox_;
  // For other threads.
  Mutex published_mutex_;
  StoreStats published_ GUARDED_BY(published_mutex_);
  OneBits bits_ GUARDED_BY(published_mutex_);
  Seq end_ GUARDED_BY(published_mutex_) = 0;  // of the documents
};

}  // namespace

std::unique_ptr<Store> open_memory_store(const StorageOptions& options, OpenMode mode) {
  if (mode == OpenMode::kReadOnly) {
    throw Failure(Exit::kUnavailable, "the memory store keeps no state that could be read");
  }
  return std::make_unique<MemoryStore>(options.keep_texts != KeepTexts::kNone);
}

}  // namespace neardup
