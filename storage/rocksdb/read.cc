#include "storage/rocksdb/read.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "storage/format.h"

namespace neardup {
namespace {

using rocksdb::PinnableSlice;
using rocksdb::Slice;

constexpr std::size_t kKeysAtOnce = 64;  // limits the blocks that are pinned at a time

}  // namespace

rocksdb::ReadOptions read_once() {
  rocksdb::ReadOptions options;
  options.fill_cache = false;
  return options;
}

void find_rows(const RocksdbState& state, Family family, std::span<const Seq> seqs,
               const std::function<void(std::size_t, std::string_view)>& found,
               const rocksdb::ReadOptions& options) {
  std::vector<std::size_t> order(seqs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return seqs[a] < seqs[b]; });
  std::array<RowKey, kKeysAtOnce> keys;
  std::array<Slice, kKeysAtOnce> slices;
  std::array<PinnableSlice, kKeysAtOnce> values;
  std::array<rocksdb::Status, kKeysAtOnce> statuses;
  for (std::size_t start = 0; start < order.size(); start += kKeysAtOnce) {
    const std::size_t count = std::min(kKeysAtOnce, order.size() - start);
    for (std::size_t i = 0; i < count; ++i) {
      keys[i] = encode_row_key(seqs[order[start + i]]);
      slices[i] = as_slice(keys[i]);
    }
    constexpr bool kSorted = true;
    state.db().MultiGet(options, state.family(family), count, slices.data(), values.data(),
                        statuses.data(), kSorted);
    for (std::size_t i = 0; i < count; ++i) {
      if (!statuses[i].IsNotFound()) {
        state.check(statuses[i], "looking up a row");
        found(order[start + i], values[i].ToStringView());
      }
      values[i].Reset();
    }
  }
}

void find_documents(const RocksdbState& state, std::span<const Seq> seqs, Seq expired_before,
                    std::vector<std::optional<DocumentRow>>& rows) {
  rows.assign(seqs.size(), {});
  find_rows(state, Family::kDocs, seqs, [&](std::size_t place, std::string_view value) {
    if (seqs[place] < expired_before) return;
    rows[place] = decode_document(seqs[place], value);
    if (!rows[place]) state.damaged("a document");
  });
}

void scan_rows(const RocksdbState& state, Family family, Seq from,
               const std::function<bool(Seq, std::string_view)>& visit) {
  const std::unique_ptr<rocksdb::Iterator> at(
      state.db().NewIterator(read_once(), state.family(family)));
  for (at->Seek(as_slice(encode_row_key(from))); at->Valid(); at->Next()) {
    const auto seq = decode_row_key(at->key().ToStringView());
    if (!seq) state.damaged("a key");
    if (!visit(*seq, at->value().ToStringView())) return;
  }
  state.check(at->status(), "reading");
}

}  // namespace neardup
