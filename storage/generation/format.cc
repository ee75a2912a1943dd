#include "storage/generation/format.h"

#include "storage/bytes.h"

namespace neardup {
namespace {

constexpr std::uint64_t kManifestVersion = 1;
constexpr std::size_t kGenerationBytes = 4;
constexpr std::size_t kColumnBytes = 2;
constexpr std::size_t kPageKeyBytes = kGenerationBytes + kColumnBytes + 1 + 4;
constexpr std::size_t kHashBytes = kHashBits / 8;
constexpr std::size_t kListKeyBytes = kPageKeyBytes + kHashBytes + 4;
constexpr std::uint64_t kManifestColumn = 0xffff;
constexpr std::uint64_t kMostColumns = kManifestColumn;
constexpr std::uint64_t kMostFilterLines = std::uint64_t{1} << 24;
enum Part : std::uint64_t { kPages = 0, kFilter = 1 };

void append_big_endian(std::string& out, std::uint64_t value, std::size_t size) {
  out.resize(out.size() + size);
  put_big_endian(out.data() + out.size() - size, value, size);
}

std::string part_key(std::uint32_t generation, std::size_t column, Part part, std::uint32_t last) {
  std::string key;
  append_big_endian(key, generation, kGenerationBytes);
  append_big_endian(key, column, kColumnBytes);
  append_big_endian(key, part, 1);
  append_big_endian(key, last, 4);
  return key;
}

}  // namespace

std::string encode_page_key(std::uint32_t generation, std::size_t column, std::uint32_t prefix) {
  return part_key(generation, column, kPages, prefix);
}

std::string encode_list_key(std::string_view page_key, Hash40 hash, std::uint32_t first) {
  std::string key(page_key);
  append_big_endian(key, hash, kHashBytes);
  append_big_endian(key, first, 4);
  return key;
}

std::string encode_filter_key(std::uint32_t generation, std::size_t column, std::uint32_t part) {
  return part_key(generation, column, kFilter, part);
}

std::string encode_manifest_key(std::uint32_t generation) {
  std::string key;
  append_big_endian(key, generation, kGenerationBytes);
  append_big_endian(key, kManifestColumn, kColumnBytes);
  return key;
}

std::string encode_manifest(const Manifest& manifest) {
  std::string value;
  ByteWriter writer(value);
  writer.little_endian(kManifestVersion, 1);
  writer.varint(manifest.epoch);
  writer.little_endian(manifest.purpose, 8);
  writer.varint(manifest.level);
  writer.varint(manifest.first);
  writer.varint(manifest.end);
  writer.varint(manifest.ids);
  writer.varint(manifest.prefix_bits);
  writer.varint(manifest.columns.size());
  for (const ColumnSize& column : manifest.columns) {
    writer.varint(column.postings);
    writer.varint(column.filter_lines);
  }
  return value;
}

std::optional<std::uint32_t> decode_generation(std::string_view key) {
  if (key.size() < kGenerationBytes + kColumnBytes) return {};
  return static_cast<std::uint32_t>(get_big_endian(key.substr(0, kGenerationBytes)));
}

std::optional<Manifest> decode_manifest(std::uint32_t generation, std::string_view value) {
  ByteReader reader(value);
  if (reader.little_endian(1) != kManifestVersion) return {};
  Manifest manifest;
  manifest.generation = generation;
  manifest.epoch = reader.varint32();
  manifest.purpose = reader.little_endian(8);
  manifest.level = reader.varint32();
  manifest.first = reader.varint();
  manifest.end = reader.varint();
  manifest.ids = reader.varint();
  manifest.prefix_bits = reader.varint32();
  const std::uint64_t columns = reader.varint();
  if (columns > kMostColumns || manifest.prefix_bits < kLeastPrefixBits ||
      manifest.prefix_bits > 32 || manifest.first > manifest.end || manifest.end > kMaxSeq + 1) {
    return {};
  }
  for (std::uint64_t i = 0; i < columns; ++i) {
    const std::uint64_t postings = reader.varint();
    const std::uint64_t lines = reader.varint();
    if (lines == 0 || lines >= kMostFilterLines) return {};
    manifest.columns.push_back({postings, lines});
  }
  if (!reader.finished()) return {};
  return manifest;
}

std::optional<PageKey> decode_page_key(std::string_view key) {
  if (key.size() != kPageKeyBytes && key.size() != kListKeyBytes) return {};
  PageKey page;
  page.prefix = static_cast<std::uint32_t>(get_big_endian(key.substr(kPageKeyBytes - 4, 4)));
  page.is_list = key.size() == kListKeyBytes;
  if (page.is_list) page.hash = get_big_endian(key.substr(kPageKeyBytes, kHashBytes));
  return page;
}

std::optional<Page> decode_page(std::string_view value) {
  constexpr std::size_t kCountBytes = 4;
  if (value.size() < kCountBytes) return {};
  const std::uint64_t count = ByteReader(value.substr(0, kCountBytes)).little_endian(kCountBytes);
  const std::string_view numbers = value.substr(kCountBytes);
  if (numbers.size() != count * 2 * sizeof(std::uint32_t)) return {};
  const std::size_t half = numbers.size() / 2;
  return Page{Offsets(numbers.substr(0, half)), Offsets(numbers.substr(half))};
}

std::optional<Offsets> decode_list(std::string_view value) {
  if (value.empty() || value.size() % sizeof(std::uint32_t) != 0) return {};
  return Offsets(value);
}

}  // namespace neardup
