// Encodes and decodes the primitives of the stored formats (storage/format.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

// Appends to a string that the caller owns.
class ByteWriter {
 public:
  explicit ByteWriter(std::string& out) : out_(out) {}

  // The low `size` bytes of `value`, lowest first.
  void little_endian(std::uint64_t value, int size);
  void varint(std::uint64_t value);
  void bytes(std::string_view bytes);
  void words(std::span<const std::uint64_t> words);

 private:
  std::string& out_;
};

// Numbers in keys are big-endian, so that keys sort as their numbers do.
void put_big_endian(char* at, std::uint64_t value, std::size_t size);
std::uint64_t get_big_endian(std::string_view bytes);

// Reads untrusted bytes. After the first malformed part, everything reads as 0 or empty and
// `finished` stays false: check it once, at the end.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t little_endian(int size);
  std::uint64_t varint();
  std::uint32_t varint32();
  std::string_view bytes();
  std::vector<std::uint64_t> words();
  std::string_view rest();

  // Everything was read, and nothing was malformed.
  bool finished() const { return fits_ && rest_.empty(); }

 private:
  std::string_view take(std::uint64_t size);
  std::uint64_t fail();

  std::string_view rest_;
  bool fits_ = true;
};

}  // namespace neardup
