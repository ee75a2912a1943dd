#include "storage/index/one_bit/namespace_tags.h"

#include <algorithm>

#include "storage/bytes.h"
#include "storage/format.h"
#include "storage/rocksdb/read.h"

namespace neardup {
namespace {

constexpr std::string_view kPrefix = "tags/";
constexpr int kTagBytes = sizeof(NamespaceTag);
enum Kind : std::uint8_t { kNoTag, kOneTag, kSeveralTags };

std::string tags_key(std::uint64_t run) {
  const RowKey key = encode_row_key(run * kRunSeqs);
  return std::string(kPrefix).append(key.data(), key.size());
}

bool is_other(NamespaceTag tag, NamespaceTag than) { return tag != 0 && tag != than; }

RunTags tags_of_rows(const RocksdbState& state, std::uint64_t run) {
  RunTags tags{};
  scan_rows(state, Family::kDocs, run * kRunSeqs, [&](Seq seq, std::string_view value) {
    if (seq / kRunSeqs != run) return false;
    const auto row = decode_document(seq, value);
    if (!row) state.damaged("a document");
    if (!row->sketch.empty()) tags[seq % kRunSeqs] = namespace_tag(row->name_space);
    return true;
  });
  return tags;
}

}  // namespace

std::string encode_tags(const RunTags& tags) {
  const auto first = std::ranges::find_if(tags, [](NamespaceTag tag) { return tag != 0; });
  std::string value;
  ByteWriter writer(value);
  if (first == tags.end()) {
    writer.little_endian(kNoTag, 1);
    return value;
  }
  const NamespaceTag one = *first;
  if (std::any_of(first, tags.end(), [one](NamespaceTag tag) { return is_other(tag, one); })) {
    writer.little_endian(kSeveralTags, 1);
    for (const NamespaceTag tag : tags) writer.little_endian(tag, kTagBytes);
    return value;
  }
  writer.little_endian(kOneTag, 1);
  writer.little_endian(one, kTagBytes);
  for (std::size_t i = 0; i < tags.size(); i += 8) {
    std::uint64_t bits = 0;
    for (std::size_t j = 0; j < 8; ++j) bits |= std::uint64_t{tags[i + j] != 0} << j;
    writer.little_endian(bits, 1);
  }
  return value;
}

std::optional<RunTags> decode_tags(std::string_view value) {
  ByteReader reader(value);
  RunTags tags{};
  const std::uint64_t kind = reader.little_endian(1);
  if (kind == kSeveralTags) {
    for (NamespaceTag& tag : tags) tag = static_cast<NamespaceTag>(reader.little_endian(kTagBytes));
  } else if (kind == kOneTag) {
    const auto one = static_cast<NamespaceTag>(reader.little_endian(kTagBytes));
    for (std::size_t i = 0; i < tags.size(); i += 8) {
      const std::uint64_t bits = reader.little_endian(1);
      for (std::size_t j = 0; j < 8; ++j) tags[i + j] = (bits >> j & 1) != 0 ? one : 0;
    }
  }
  if (!reader.finished() || encode_tags(tags) != value) return {};
  return tags;
}

RunTags read_tags(const RocksdbState& state, std::uint64_t run, const rocksdb::Snapshot* snapshot) {
  rocksdb::ReadOptions options = read_once();
  options.snapshot = snapshot;
  std::string value;
  const rocksdb::Status status =
      state.db().Get(options, state.family(Family::kDefault), tags_key(run), &value);
  if (status.IsNotFound()) return tags_of_rows(state, run);
  state.check(status, "reading the tags of namespaces");
  const auto tags = decode_tags(value);
  if (!tags) state.damaged("tags of namespaces");
  return *tags;
}

void put_tags(const RocksdbState& state, std::uint64_t run, const RunTags& tags,
              rocksdb::WriteBatch& batch) {
  state.check(batch.Put(state.family(Family::kDefault), tags_key(run), encode_tags(tags)),
              "gathering a batch");
}

void erase_tags(const RocksdbState& state, Seq before, rocksdb::WriteBatch& batch) {
  state.check(
      batch.DeleteRange(state.family(Family::kDefault), tags_key(0), tags_key(before / kRunSeqs)),
      "gathering a batch");
}

}  // namespace neardup
