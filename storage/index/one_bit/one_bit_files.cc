#include "storage/index/one_bit/one_bit_files.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "storage/format.h"
#include "storage/index/one_bit/namespace_tags.h"
#include "storage/rocksdb/expire.h"
#include "storage/rocksdb/read.h"

namespace neardup {
namespace {

constexpr std::size_t kBytesOfWord = sizeof(std::uint64_t);

// Stored sketches of consecutive seqs of one run.
struct StoredRun {
  Seq first = 0;
  std::uint32_t words_each = 0;
  std::vector<std::uint64_t> words;
  Seq end() const { return first + words.size() / words_each; }
};

void decode(const RocksdbState& state, const rocksdb::Iterator& at, StoredRun& run) {
  const auto first = decode_row_key(at.key().ToStringView());
  const std::string_view value = at.value().ToStringView();
  const auto byte = value.empty() ? 0u : static_cast<unsigned char>(value[0]);
  run.words_each = byte == 0 ? 256 : byte;
  if (!first || value.size() < 2 || (value.size() - 1) % (run.words_each * kBytesOfWord) != 0) {
    state.damaged("a run of 1-bit sketches");
  }
  run.first = *first;
  run.words.resize((value.size() - 1) / kBytesOfWord);
  std::memcpy(run.words.data(), value.data() + 1, value.size() - 1);
  if (run.end() > (run.first / kRunSeqs + 1) * kRunSeqs) state.damaged("a run of 1-bit sketches");
}

RunTags live_tags(const RocksdbState& state, const rocksdb::Snapshot* snapshot, std::uint64_t run,
                  const SeqSet& deleted) {
  RunTags tags = read_tags(state, run, snapshot);
  for (const Seq seq : deleted.in_range(run * kRunSeqs, (run + 1) * kRunSeqs)) {
    tags[seq % kRunSeqs] = 0;
  }
  return tags;
}

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

void read_one_bits(const RocksdbState& state, Seq flushed_to, const SeqSet& deleted,
                   OneBits& bits) {
  const std::unique_ptr<rocksdb::Iterator> at(
      state.db().NewIterator(read_once(), state.family(Family::kBits)));
  StoredRun run;
  for (at->SeekToLast(); at->Valid(); at->Prev()) {
    decode(state, *at, run);
    if (!bits.put_stored(run.first, run.words_each, run.words)) break;
  }
  state.check(at->status(), "opening the index");
  for (const std::uint64_t number : bits.run_numbers()) {
    bits.put_stored_tags(number, live_tags(state, nullptr, number, deleted), flushed_to);
  }
}

void drop_one_bits(const RocksdbState& state, Seq before) {
  drop_files(state, Family::kBits, before / kRunSeqs * kRunSeqs);
}

bool visit_stored(const RocksdbState& state, const rocksdb::Snapshot* snapshot, Seq from, Seq to,
                  const SeqSet& deleted, const std::function<bool(const SketchBlock&)>& visit) {
  const std::unique_ptr<rocksdb::Iterator> at(
      state.db().NewIterator(read_once(), state.family(Family::kBits)));
  at->SeekForPrev(as_slice(encode_row_key(from)));
  if (!at->Valid()) at->SeekToFirst();
  StoredRun run;
  for (; at->Valid(); at->Next()) {
    decode(state, *at, run);
    if (run.first >= to) break;
    const Seq first = std::max(from, run.first);
    const Seq end = std::min(to, run.end());
    if (first >= end) continue;
    const RunTags tags = live_tags(state, snapshot, first / kRunSeqs, deleted);
    const SketchBlock block{first, static_cast<std::uint32_t>(end - first), run.words_each,
                            run.words.data() + (first - run.first) * run.words_each,
                            tags.data() + first % kRunSeqs};
    if (!visit(block)) return false;
  }
  state.check(at->status(), "reading the 1-bit sketches");
  return true;
}

}  // namespace neardup
