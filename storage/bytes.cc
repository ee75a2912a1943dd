#include "storage/bytes.h"

#include <bit>
#include <cstring>
#include <limits>

namespace neardup {
namespace {

constexpr int kVarintBits = 7;
constexpr std::uint64_t kVarintMore = 0x80;
constexpr std::uint64_t kWordBytes = sizeof(std::uint64_t);

}  // namespace

void ByteWriter::little_endian(std::uint64_t value, int size) {
  static_assert(std::endian::native == std::endian::little);
  out_.append(reinterpret_cast<const char*>(&value), static_cast<std::size_t>(size));
}

void ByteWriter::varint(std::uint64_t value) {
  for (; value >= kVarintMore; value >>= kVarintBits) {
    out_.push_back(static_cast<char>(value | kVarintMore));
  }
  out_.push_back(static_cast<char>(value));
}

void ByteWriter::bytes(std::string_view bytes) {
  varint(bytes.size());
  out_.append(bytes);
}

void ByteWriter::words(std::span<const std::uint64_t> words) {
  static_assert(std::endian::native == std::endian::little,
                "words are stored as they lie in memory");
  varint(words.size());
  out_.append(reinterpret_cast<const char*>(words.data()), words.size_bytes());
}

void ByteWriter::row(std::span<const std::uint64_t> words) {
  static_assert(std::endian::native == std::endian::little);
  bytes({reinterpret_cast<const char*>(words.data()), words.size_bytes()});
}

void put_big_endian(char* at, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) at[i] = static_cast<char>(value >> (8 * (size - 1 - i)));
}

std::uint64_t get_big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

std::uint64_t ByteReader::fail() {
  fits_ = false;
  rest_ = {};
  return 0;
}

std::string_view ByteReader::take(std::uint64_t size) {
  if (size > rest_.size()) {
    fail();
    return {};
  }
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

std::uint64_t ByteReader::little_endian(int size) {
  static_assert(std::endian::native == std::endian::little);
  const std::string_view taken = take(static_cast<std::uint64_t>(size));
  std::uint64_t value = 0;
  if (!taken.empty()) std::memcpy(&value, taken.data(), taken.size());
  return value;
}

std::uint64_t ByteReader::varint() {
  std::uint64_t value = 0;
  int shift = 0;
  for (std::size_t at = 0; at < rest_.size() && shift < 64; ++at, shift += kVarintBits) {
    const std::uint64_t byte = static_cast<unsigned char>(rest_[at]);
    const std::uint64_t part = byte & ~kVarintMore;
    if ((part << shift) >> shift != part) return fail();  // more than 64 bits
    value |= part << shift;
    if ((byte & kVarintMore) != 0) continue;
    if (byte == 0 && shift > 0) return fail();  // not the shortest form
    rest_.remove_prefix(at + 1);
    return value;
  }
  return fail();
}

std::uint32_t ByteReader::varint32() {
  const std::uint64_t value = varint();
  if (value > std::numeric_limits<std::uint32_t>::max()) return static_cast<std::uint32_t>(fail());
  return static_cast<std::uint32_t>(value);
}

std::string_view ByteReader::bytes() { return take(varint()); }

std::vector<std::uint64_t> ByteReader::words() {
  const std::uint64_t count = varint();
  if (count > rest_.size() / kWordBytes) fail();
  const std::string_view taken = take(fits_ ? count * kWordBytes : 0);
  std::vector<std::uint64_t> words(taken.size() / kWordBytes);
  if (!words.empty()) std::memcpy(words.data(), taken.data(), taken.size());
  return words;
}

void ByteReader::row(std::span<std::uint64_t> words) {
  const std::string_view taken = bytes();
  require(taken.size() == words.size_bytes());
  if (fits_ && !words.empty()) std::memcpy(words.data(), taken.data(), taken.size());
}

std::string_view ByteReader::rest() { return take(rest_.size()); }

}  // namespace neardup
