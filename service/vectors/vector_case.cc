#include "service/vectors/vector_case.h"

#include <fmt/format.h>

#include <charconv>

#include "gpu/hd/arithmetic.h"

namespace neardup {
namespace {

constexpr std::size_t kMismatchLines = 10;

std::uint64_t parse_hex(std::string_view digits) {
  std::uint64_t value = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (end.ptr != digits.data() + digits.size() || end.ec != std::errc() || digits.size() != 16) {
    throw simdjson::simdjson_error(simdjson::NUMBER_ERROR);
  }
  return value;
}

std::uint64_t digest_of(std::span<const std::uint64_t> values) {
  std::uint64_t digest = 0;
  for (std::uint64_t v : values) digest = hd::mix64((digest ^ v) + hd::kGolden);
  return digest;
}

}  // namespace

std::uint64_t read_hex(Json value) { return parse_hex(value.get_string()); }

std::vector<std::uint64_t> read_hex_list(Json value) {
  std::vector<std::uint64_t> list;
  for (Json item : value.get_array()) list.push_back(read_hex(item));
  return list;
}

Seed read_seed(Json value) {
  const std::string_view digits = value.get_string();
  return {parse_hex(digits.substr(0, 16)), parse_hex(digits.substr(digits.size() / 2))};
}

std::uint64_t read_number(Json value) { return value.get_uint64(); }

std::uint32_t read_small(Json value) { return static_cast<std::uint32_t>(read_number(value)); }

VectorCase::~VectorCase() {
  ++report_.cases;
  report_.wrong += right_ ? 0 : 1;
}

void VectorCase::check(std::string_view what, std::uint64_t expected, std::uint64_t got) {
  if (expected == got) return;
  right_ = false;
  if (report_.mismatches.size() == kMismatchLines) return;
  report_.mismatches.push_back(
      fmt::format("{}: {} is {:016x}, expected {:016x}", name_, what, got, expected));
}

void VectorCase::check_text(std::string_view what, std::string_view expected,
                            std::string_view got) {
  if (expected == got) return;
  right_ = false;
  if (report_.mismatches.size() == kMismatchLines) return;
  report_.mismatches.push_back(
      fmt::format("{}: {} is \"{}\", expected \"{}\"", name_, what, got, expected));
}

void VectorCase::check_list(std::string_view what, Json expected,
                            std::span<const std::uint64_t> got) {
  const std::vector<std::uint64_t> wanted = read_hex_list(expected);
  check(fmt::format("length of {}", what), wanted.size(), got.size());
  for (std::size_t i = 0; i < wanted.size() && i < got.size(); ++i) {
    check(fmt::format("{}[{}]", what, i), wanted[i], got[i]);
  }
}

void VectorCase::check_digested(std::string_view what, Json expected, Json digest,
                                std::span<const std::uint64_t> got) {
  check(fmt::format("digest of {}", what), read_hex(digest), digest_of(got));
  if (expected.get_array().size() != 0) check_list(what, expected, got);
}

}  // namespace neardup
