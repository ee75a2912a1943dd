// What the tests of the pipeline derive their stores from.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/memory_store.h"

namespace neardup {

// A store in memory, for stores that do one thing differently.
class ForwardingStore : public Store {
 public:
  void postings(std::span<const Bucket> buckets, Seq after, std::size_t limit,
                PostingLists& lists) override {
    store_->postings(buckets, after, limit, lists);
  }
  void documents(std::span<const Seq> seqs,
                 std::vector<std::optional<DocumentRow>>& rows) override {
    store_->documents(seqs, rows);
  }

  void set_index(const MakeIndexEntry& make) override { store_->set_index(make); }
  const std::uint64_t* one_bit(Seq seq) override { return store_->one_bit(seq); }
  std::shared_ptr<const SketchView> sketches() override { return store_->sketches(); }
  std::optional<IdRow> find_id(const IdKey& key) override { return store_->find_id(key); }
  void ids(std::span<const IdKey> keys, std::vector<std::optional<IdRow>>& rows) override {
    store_->ids(keys, rows);
  }
  void ages(Seq from, std::size_t limit, std::vector<Age>& ages) override {
    store_->ages(from, limit, ages);
  }
  std::vector<std::pair<IdKey, IdRow>> copies(Seq original, Seq from, std::size_t limit) override {
    return store_->copies(original, from, limit);
  }
  std::vector<DocumentGroup> largest_groups(std::size_t limit) override {
    return store_->largest_groups(limit);
  }
  std::optional<std::string> text(Seq seq) override { return store_->text(seq); }
  std::optional<std::string> meta(std::string_view key) override { return store_->meta(key); }
  std::vector<std::pair<std::string, std::string>> meta_with_prefix(
      std::string_view prefix) override {
    return store_->meta_with_prefix(prefix);
  }
  std::optional<std::string> outbox(std::uint64_t batch) override { return store_->outbox(batch); }
  void commit(const WriteSet& writes) override { store_->commit(writes); }
  void begin_commit(const WriteSet& writes, std::function<void()>) override { commit(writes); }
  bool commit_has_ended() override { return true; }
  void finish_commit() override {}
  StoreSize size() override { return store_->size(); }
  StoreStats stats() override { return store_->stats(); }
  void compact() override { store_->compact(); }
  void rebuild_index(const MakeIndexEntry& make,
                     const std::vector<std::pair<std::string, std::string>>& meta,
                     const std::function<void(Seq)>& progress) override {
    store_->rebuild_index(make, meta, progress);
  }
  void checkpoint(const std::string& path) override { store_->checkpoint(path); }

 private:
  std::unique_ptr<Store> store_ = open_memory_store({}, OpenMode::kReadWrite);
};

}  // namespace neardup
