// Encodes and decodes the primitives of the stored formats (storage/format.h).
//
// What is written and read alike is described once, by a function that takes either of the two:
//
//   template <class Io, class Size>  // const Size for a ByteWriter
//   void size_fields(Io& io, Size& size) {
//     io.varint(size.width);
//     io.varint(size.height);
//     io.require(size.width != 0);
//   }
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

  // As ByteReader reads them.
  static constexpr bool kReads = false;
  template <std::integral Number>
  void fixed(Number value) {
    little_endian(static_cast<std::uint64_t>(value), sizeof value);
  }
  template <class Enum>
  void word(Enum value) {
    little_endian(static_cast<std::uint8_t>(value), 1);
  }
  void row(std::span<const std::uint64_t> words);
  void field(const std::string& text) { bytes(text); }
  void field(std::uint64_t number) { varint(number); }
  template <std::same_as<bool>... Bits>
  std::array<bool, sizeof...(Bits)> bits(Bits... bits) {
    std::uint64_t byte = 0;
    int at = 0;
    ((byte |= std::uint64_t{bits} << at++), ...);
    little_endian(byte, 1);
    return {bits...};
  }
  std::uint64_t number(std::uint64_t given) {
    varint(given);
    return given;
  }
  template <class Items>
  std::uint64_t count(const Items& items) {
    return number(items.size());
  }
  template <class Items, class Fields>
  void each(const Items& items, std::uint64_t /*count*/, Fields fields) {
    for (const auto& item : items) fields(item);
  }
  template <class T, class Encode, class Decode>
  void coded(const T& value, Encode encode, Decode /*decode*/) {
    bytes(encode(value));
  }
  template <class T>
  const T& present(const std::optional<T>& value) {
    return *value;
  }
  template <class T, class Value>
  void set(const T& /*member*/, Value /*value*/) {}
  void require(bool /*holds*/) {}

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

  // The same for members, which are 0 or empty after the first malformed part.
  static constexpr bool kReads = true;
  template <std::integral Number>
  void varint(Number& value) {
    const std::uint64_t read = varint();
    require(read <= static_cast<std::uint64_t>(std::numeric_limits<Number>::max()));
    value = static_cast<Number>(fits_ ? read : 0);
  }
  template <std::integral Number>
  void fixed(Number& value) {  // of as many bytes as its type has
    value = static_cast<Number>(little_endian(sizeof value));
  }
  template <class Enum>
  void word(Enum& value) {  // an enumerator, as one byte
    const std::uint64_t number = little_endian(1);
    require(number < names(Enum{}).size());
    value = static_cast<Enum>(fits_ ? number : 0);
  }
  void bytes(std::string& text) { text = bytes(); }
  // The bytes of words whose number is known.
  void row(std::span<std::uint64_t> words);
  // Text as bytes, a number as a varint.
  void field(std::string& text) { bytes(text); }
  void field(std::uint64_t& number) { varint(number); }
  // One byte of up to 8 bits, the first of them the lowest. Returns what it has; a writer, what it
  // is given.
  template <std::same_as<bool>... Bits>
  std::array<bool, sizeof...(Bits)> bits(Bits... /*given*/) {
    const std::uint64_t byte = little_endian(1);
    require(byte >> sizeof...(Bits) == 0);
    std::array<bool, sizeof...(Bits)> bits{};
    for (std::size_t at = 0; at < bits.size(); ++at) bits[at] = (byte >> at & 1) != 0;
    return bits;
  }
  // A varint that members follow from. Returns it; a writer, what it is given.
  std::uint64_t number(std::uint64_t /*given*/) { return varint(); }
  template <class Items>
  std::uint64_t count(const Items& /*items*/) {
    return varint();
  }
  // So many items, each of one byte at least: a count that lies takes no memory.
  template <class Items, class Fields>
  void each(Items& items, std::uint64_t count, Fields fields) {
    for (; count > 0 && fits_; --count) fields(items.emplace_back());
  }
  // As bytes that encode(value) makes; decode(bytes) is nothing for any others.
  template <class T, class Encode, class Decode>
  void coded(T& value, Encode /*encode*/, Decode decode) {
    auto decoded = decode(bytes());
    require(decoded.has_value());
    if (decoded) value = *std::move(decoded);
  }
  // A value that is there. A writer requires that it is.
  template <class T>
  T& present(std::optional<T>& value) {
    return value.emplace();
  }
  // What follows from fields before it. A writer does nothing.
  template <class T, class Value>
  void set(T& member, Value value) {
    member = static_cast<T>(value);
  }
  // Malformed unless it holds. A writer does nothing.
  void require(bool holds) {
    if (!holds) fail();
  }

  // Nothing was malformed.
  bool fits() const { return fits_; }
  // Everything was read, and nothing was malformed.
  bool finished() const { return fits_ && rest_.empty(); }

 private:
  std::string_view take(std::uint64_t size);
  std::uint64_t fail();

  std::string_view rest_;
  bool fits_ = true;
};

}  // namespace neardup
