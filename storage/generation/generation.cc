#include "storage/generation/generation.h"

#include <rocksdb/convenience.h>

#include <algorithm>
#include <cstring>

#include "storage/rocksdb/read.h"

namespace neardup {
namespace {

using rocksdb::Slice;

Manifest read_manifest(const RocksdbState& state, rocksdb::Iterator& at, std::uint32_t generation) {
  const std::string key = encode_manifest_key(generation);
  at.Seek(Slice(key));
  state.check(at.status(), "reading the index");
  const bool found = at.Valid() && at.key() == Slice(key);
  const auto manifest =
      found ? decode_manifest(generation, at.value().ToStringView()) : std::nullopt;
  if (!manifest) state.damaged("the manifest of a part of the index");
  return *manifest;
}

void fill_filter(const RocksdbState& state, const Manifest& manifest, std::size_t column,
                 Filter& filter) {
  const std::span<char> bytes = filter.bytes();
  rocksdb::PinnableSlice value;
  for (std::size_t begin = 0; begin < bytes.size(); begin += kFilterPartBytes) {
    const auto part = static_cast<std::uint32_t>(begin / kFilterPartBytes);
    const auto key = encode_filter_key(manifest.generation, column, part);
    state.check(state.db().Get(read_once(), state.family(Family::kIndex), Slice(key), &value),
                "reading a filter");
    const std::size_t size = std::min(kFilterPartBytes, bytes.size() - begin);
    if (value.size() != size) state.damaged("a filter");
    std::memcpy(bytes.data() + begin, value.data(), size);
    value.Reset();
  }
}

}  // namespace

std::uint64_t Generation::filter_bytes() const {
  std::uint64_t sum = 0;
  for (const Column& column : columns) {
    if (column.filter) sum += column.filter->lines() * Filter::kLineBytes;
  }
  return sum;
}

std::uint64_t Generation::postings() const {
  std::uint64_t sum = 0;
  for (const ColumnSize& column : manifest.columns) sum += column.postings;
  return sum;
}

bool replaces(const Manifest& by, const Manifest& which) {
  return by.epoch == which.epoch && by.generation > which.generation && by.first <= which.first &&
         which.end <= by.end;
}

// Uses one iterator, which still sees generations that another thread removes meanwhile.
std::vector<Manifest> read_manifests(const RocksdbState& state) {
  std::vector<Manifest> all;
  const std::unique_ptr<rocksdb::Iterator> at(
      state.db().NewIterator(read_once(), state.family(Family::kIndex)));
  for (at->SeekToFirst(); at->Valid();) {
    const auto generation = decode_generation(at->key().ToStringView());
    if (!generation) state.damaged("a key of the index");
    all.push_back(read_manifest(state, *at, *generation));
    at->Seek(Slice(encode_page_key(*generation + 1, 0, 0)));
  }
  state.check(at->status(), "reading the index");
  return all;
}

std::vector<Filter> read_filters(const RocksdbState& state, const Manifest& manifest,
                                 std::size_t column, std::size_t count) {
  std::vector<std::uint64_t> lines;
  for (std::size_t i = 0; i < count; ++i)
    lines.push_back(manifest.columns[column + i].filter_lines);
  std::vector<Filter> filters = Filter::make(lines);
  for (std::size_t i = 0; i < count; ++i) fill_filter(state, manifest, column + i, filters[i]);
  return filters;
}

void remove_generation(const RocksdbState& state, std::uint32_t number) {
  const std::string begin = encode_page_key(number, 0, 0);
  const std::string end = encode_page_key(number + 1, 0, 0);
  const Slice from(begin);
  const Slice to(end);
  state.check(
      rocksdb::DeleteFilesInRange(&state.db(), state.family(Family::kIndex), &from, &to, false),
      "dropping old parts of the index");
}

}  // namespace neardup
