#include "storage/rocksdb_compact.h"

#include <rocksdb/write_batch.h>

#include <bitset>
#include <unordered_map>

#include "storage/format.h"

namespace neardup {
namespace {

constexpr std::uint32_t kErasuresAtOnce = 10'000;

class SeqSet {
 public:
  void insert(Seq seq) { pages_[seq / kPage].set(seq % kPage); }
  bool contains(Seq seq) const {
    const auto page = pages_.find(seq / kPage);
    return page != pages_.end() && page->second.test(seq % kPage);
  }

 private:
  static constexpr std::size_t kPage = 4096;
  std::unordered_map<Seq, std::bitset<kPage>> pages_;
};

template <class Visit>
void for_each_row(RocksdbState& state, Family family, Visit&& visit) {
  rocksdb::ReadOptions whole;
  whole.total_order_seek = true;
  whole.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(state.db().NewIterator(whole, state.family(family)));
  for (at->SeekToFirst(); at->Valid(); at->Next()) visit(*at);
  state.check(at->status(), "reading");
}

SeqSet live_seqs(RocksdbState& state) {
  SeqSet live;
  for_each_row(state, Family::kDocs, [&](const rocksdb::Iterator& at) {
    const auto seq = decode_document_key(at.key().ToStringView());
    if (!seq) state.damaged("a document's key");
    live.insert(*seq);
  });
  return live;
}

}  // namespace

void drop_dead_postings(RocksdbState& state, const rocksdb::WriteOptions& options) {
  const SeqSet live = live_seqs(state);
  rocksdb::WriteBatch batch;
  const auto write = [&] {
    state.check(state.db().Write(options, &batch), "compacting");
    batch.Clear();
  };
  for_each_row(state, Family::kIndex, [&](const rocksdb::Iterator& at) {
    const auto posting = decode_posting(at.key().ToStringView(), at.value().ToStringView());
    if (!posting) state.damaged("a posting");
    if (live.contains(posting->seq)) return;
    state.check(batch.Delete(state.family(Family::kIndex), at.key()), "compacting");
    if (batch.Count() == kErasuresAtOnce) write();
  });
  write();
}

}  // namespace neardup
