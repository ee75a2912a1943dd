// Checks one case of the golden vectors, and reads its values.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/options.h"
#include "service/vectors/verify_vectors.h"

namespace neardup {

using Json = simdjson::dom::element;

// These throw simdjson::simdjson_error when the value is of another type.
std::uint64_t read_hex(Json value);
std::vector<std::uint64_t> read_hex_list(Json value);
Seed read_seed(Json value);
std::uint64_t read_number(Json value);
std::uint32_t read_small(Json value);

// The destructor counts the case in the report.
class VectorCase {
 public:
  VectorCase(VectorReport& report, std::string name) : report_(report), name_(std::move(name)) {}
  ~VectorCase();
  VectorCase(const VectorCase&) = delete;
  VectorCase& operator=(const VectorCase&) = delete;

  void check(std::string_view what, std::uint64_t expected, std::uint64_t got);
  void check_text(std::string_view what, std::string_view expected, std::string_view got);
  void check_list(std::string_view what, Json expected, std::span<const std::uint64_t> got);

  // For a list that the file may give by its digest alone: then `expected` is empty.
  void check_digested(std::string_view what, Json expected, Json digest,
                      std::span<const std::uint64_t> got);

 private:
  VectorReport& report_;
  std::string name_;
  bool right_ = true;
};

}  // namespace neardup
