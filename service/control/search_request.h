// A request for similar documents to a running service (docs/formats/control.md), and how many
// queries one may have.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "config/service_options.h"
#include "pipeline/search/similar.h"

namespace neardup {

enum class AskedBy : std::uint8_t {
  kId,
  kText,
  kLines,  // JSON Lines of queries
};
inline constexpr std::array<std::string_view, 3> kAskedByNames{"id", "text", "queries"};
constexpr std::span<const std::string_view> names(AskedBy) { return kAskedByNames; }

struct SearchRequest {
  AskedBy by = AskedBy::kId;
  std::string what;  // the id, the text or the lines
  std::string name_space;
  EngineName engine = EngineName::kAuto;
  std::uint32_t k = 10;
  Ppm min_similarity = 0;
  bool table = false;  // for people; not for lines
};

// Throws Failure(kUsage) for another name than those of kEngineNameNames.
EngineName engine_of(std::string_view name);

// The request as the command sends it, and as the service reads it. parse_request throws
// Failure(kUsage) for wrong values and too many lines, and simdjson_error for any other body that
// is not a request.
std::string request_json(const SearchRequest& request);
SearchRequest parse_request(const std::string& body);

// Hits of all lines of one request at most.
inline constexpr std::size_t kMostHitsAtOnce = 100'000;

// Bounds the memory of the answers to many queries.
struct PieceLimits {
  std::size_t lines = 1024;                  // Requires: > 0
  std::size_t bytes = std::size_t{1} << 20;  // after which a piece ends
};

// So many queries at once that their answers have at most `hits` hits, `k` each, but one at least.
PieceLimits pieces_of(std::size_t hits, std::uint32_t k);

// Takes the next lines, with their ends, away from the front of `rest`; blank ones before them are
// dropped. "": there is none. A line is never divided.
std::string_view take_lines(std::string_view& rest, const PieceLimits& limits);

}  // namespace neardup
