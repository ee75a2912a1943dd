#include "storage/index/one_bit_files.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "storage/format.h"
#include "storage/rocksdb/read.h"

namespace neardup {
namespace {

constexpr std::size_t kWordBytes = sizeof(std::uint64_t);

}  // namespace

void write_one_bits(const std::function<std::string(Seq begin, Seq end)>& stored, Seq first,
                    Seq end, SstFiles& files) {
  for (Seq begin = first; begin < end;) {
    const Seq run_end = std::min(end, (begin / kRunSeqs + 1) * kRunSeqs);
    const std::string value = stored(begin, run_end);
    const RowKey key = encode_row_key(begin);
    if (value.size() > 1) files.put({key.data(), key.size()}, value);
    begin = run_end;
  }
  files.finish();
}

void read_one_bits(const RocksdbState& state, OneBits& bits) {
  const std::unique_ptr<rocksdb::Iterator> at(
      state.db().NewIterator(read_once(), state.family(Family::kBits)));
  std::vector<std::uint64_t> words;
  for (at->SeekToLast(); at->Valid(); at->Prev()) {
    const auto first = decode_row_key(at->key().ToStringView());
    const rocksdb::Slice value = at->value();
    const auto each = value.empty() ? 0u : static_cast<unsigned char>(value[0]);
    if (!first || each == 0 || (value.size() - 1) % (each * kWordBytes) != 0) {
      state.damaged("a run of 1-bit sketches");
    }
    words.resize((value.size() - 1) / kWordBytes);
    std::memcpy(words.data(), value.data() + 1, words.size() * kWordBytes);
    if (words.size() / each > kRunSeqs - *first % kRunSeqs) {
      state.damaged("a run of 1-bit sketches");
    }
    if (!bits.put_stored(*first, each, words)) break;
  }
  state.check(at->status(), "opening the index");
}

}  // namespace neardup
