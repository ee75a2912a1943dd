#include "storage/rocksdb/stored_end.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cerrno>

#include "pipeline/base/failure.h"
#include "storage/bytes.h"
#include "storage/files.h"

namespace neardup {
namespace {

constexpr std::string_view kMagic = "neardup end 1\n";
constexpr std::size_t kUuidBytes = 36;
constexpr std::size_t kChecksumAt = kEndSlotBytes - 8;
constexpr int kWord = 8;

void put_part(ByteWriter& writer, const FilePrefix& part) {
  for (const std::uint64_t value : {part.number, part.bytes, part.hash})
    writer.little_endian(value, kWord);
}

FilePrefix get_part(ByteReader& reader) {
  FilePrefix part;
  part.number = reader.little_endian(kWord);
  part.bytes = reader.little_endian(kWord);
  part.hash = reader.little_endian(kWord);
  return part;
}

}  // namespace

std::string end_path(const std::string& state) { return state + '/' + std::string(kEndName); }

std::string encode_end(const StoredEnd& end) {
  std::string slot(kMagic);
  ByteWriter writer(slot);
  writer.little_endian(end.number, kWord);
  slot += end.uuid;
  slot.resize(kMagic.size() + kWord + kUuidBytes, ' ');
  writer.little_endian(end.next_seq, kWord);
  writer.little_endian(end.sequence, kWord);
  put_part(writer, end.manifest);
  writer.little_endian(end.logs.size(), kWord);
  for (const FilePrefix& log : end.logs) put_part(writer, log);
  slot.resize(kChecksumAt);
  writer.little_endian(XXH3_64bits(slot.data(), slot.size()), kWord);
  return slot;
}

std::optional<StoredEnd> decode_end(std::string_view slot) {
  if (slot.size() != kEndSlotBytes || !slot.starts_with(kMagic)) return {};
  ByteReader checksum(slot.substr(kChecksumAt));
  if (checksum.little_endian(kWord) != XXH3_64bits(slot.data(), kChecksumAt)) return {};
  slot.remove_prefix(kMagic.size());
  StoredEnd end;
  end.number = ByteReader(slot.substr(0, kWord)).little_endian(kWord);
  end.uuid = slot.substr(kWord, kUuidBytes);
  if (end.uuid.starts_with(' ')) end.uuid.clear();
  ByteReader reader(slot.substr(kWord + kUuidBytes));
  end.next_seq = reader.little_endian(kWord);
  end.sequence = reader.little_endian(kWord);
  end.manifest = get_part(reader);
  const std::uint64_t logs = reader.little_endian(kWord);
  if (logs > kMostEndLogs) return {};
  for (std::uint64_t i = 0; i < logs; ++i) end.logs.push_back(get_part(reader));
  return end;
}

std::optional<StoredEnd> read_end(const std::string& state) {
  const auto bytes = read_small_file(end_path(state));
  if (!bytes) return {};
  std::optional<StoredEnd> latest;
  for (const std::size_t at : {std::size_t{0}, kEndSlotBytes}) {
    if (at > bytes->size()) break;
    auto end = decode_end(std::string_view(*bytes).substr(at, kEndSlotBytes));
    if (end && (!latest || end->number > latest->number)) latest = std::move(end);
  }
  if (latest) return latest;
  throw Failure(Exit::kIo,
                fmt::format("state {}: {} is damaged, which says where the state ends. If all "
                            "other files are intact, remove it; otherwise restore a backup",
                            state, end_path(state)));
}

void create_end(const std::string& state, const StoredEnd& end) {
  const std::string slot = encode_end(end);
  replace_file(end_path(state), slot + slot);
}

void write_end(const std::string& state, const StoredEnd& end) {
  const std::string path = end_path(state);
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.open()) fail_file("opening", path);
  const auto at = static_cast<off_t>(end.number % 2 * kEndSlotBytes);
  if (::lseek(file.get(), at, SEEK_SET) < 0) fail_file("writing", path);
  write_all(file, encode_end(end), path);
  sync_data(file, path);
}

}  // namespace neardup
