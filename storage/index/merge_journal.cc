#include "storage/index/merge_journal.h"

#include <rocksdb/write_batch.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "storage/bytes.h"
#include "storage/generation/sst_files.h"

namespace neardup {
namespace {

constexpr std::uint64_t kVersion = 1;
constexpr std::string_view kJournalKey = "index_merge";

std::vector<std::uint64_t> read_varints(ByteReader& reader, std::size_t bytes) {
  const std::uint64_t count = std::min<std::uint64_t>(reader.varint(), bytes);
  std::vector<std::uint64_t> values;
  for (std::uint64_t i = 0; i < count; ++i) values.push_back(reader.varint());
  return values;
}

bool has_files(const RocksdbState& state, const MergeJournal& journal) {
  for (std::size_t i = 0; i < journal.file_bytes.size(); ++i) {
    const std::string path = unfinished_path(state, index_file_name(journal.result.generation), i);
    std::error_code missing;
    if (std::filesystem::file_size(path, missing) != journal.file_bytes[i] || missing) return false;
  }
  return true;
}

bool has_sources(std::span<const Manifest> current, const MergeJournal& journal) {
  const auto number = [](const Manifest& manifest) { return manifest.generation; };
  const auto found = std::ranges::search(current, journal.sources, {}, number);
  return !found.empty() && found.front().epoch == journal.result.epoch &&
         found.front().first == journal.result.first && found.back().end == journal.result.end;
}

}  // namespace

std::string encode_merge_journal(const MergeJournal& journal) {
  std::string value;
  ByteWriter writer(value);
  writer.little_endian(kVersion, 1);
  writer.varint(journal.result.generation);
  writer.varint(journal.filter_bits);
  writer.varint(journal.expired_before);
  writer.varint(journal.sources.size());
  for (const std::uint32_t source : journal.sources) writer.varint(source);
  writer.varint(journal.file_bytes.size());
  for (const std::uint64_t bytes : journal.file_bytes) writer.varint(bytes);
  writer.bytes(encode_manifest(journal.result));
  std::vector<Seq> deleted = journal.deleted.in_range(journal.result.first, journal.result.end);
  std::ranges::sort(deleted);
  writer.varint(deleted.size());
  Seq last = 0;
  for (const Seq seq : deleted) writer.varint(seq - std::exchange(last, seq));
  return value;
}

std::optional<MergeJournal> decode_merge_journal(std::string_view value) {
  ByteReader reader(value);
  if (reader.little_endian(1) != kVersion) return {};
  MergeJournal journal;
  const std::uint32_t generation = reader.varint32();
  journal.filter_bits = reader.varint();
  journal.expired_before = reader.varint();
  for (const std::uint64_t source : read_varints(reader, value.size())) {
    journal.sources.push_back(static_cast<std::uint32_t>(source));
  }
  journal.file_bytes = read_varints(reader, value.size());
  const auto result = decode_manifest(generation, reader.bytes());
  Seq seq = 0;
  for (const std::uint64_t distance : read_varints(reader, value.size())) {
    journal.deleted.insert(seq += distance);
  }
  if (!result || !reader.finished() || journal.sources.empty()) return {};
  journal.result = *result;
  return journal;
}

void write_merge_journal(const RocksdbState& state, const MergeJournal& journal) {
  rocksdb::WriteBatch batch;
  state.check(batch.Put(state.family(Family::kDefault), rocksdb::Slice(kJournalKey),
                        encode_merge_journal(journal)),
              "gathering a batch");
  state.write(batch, "writing");
}

void erase_merge_journal(const RocksdbState& state) {
  rocksdb::WriteBatch batch;
  state.check(batch.Delete(state.family(Family::kDefault), rocksdb::Slice(kJournalKey)),
              "gathering a batch");
  state.write(batch, "writing");
}

std::optional<MergeJournal> take_merge_journal(const RocksdbState& state,
                                               std::span<const Manifest> current) {
  std::string value;
  const rocksdb::Status status =
      state.db().Get({}, state.family(Family::kDefault), rocksdb::Slice(kJournalKey), &value);
  if (status.IsNotFound()) return {};
  state.check(status, "opening the index");
  auto journal = decode_merge_journal(value);
  if (journal && has_sources(current, *journal) && has_files(state, *journal)) return journal;
  erase_merge_journal(state);
  return {};
}

}  // namespace neardup
