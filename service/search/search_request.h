// A request for similar documents to a running service (docs/formats/control.md), as the command
// writes and the service reads it.
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

// Of all lines of one request: what bounds their number (query_pieces.h).
inline constexpr std::size_t kMostHitsAtOnce = 100'000;

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

std::string request_json(const SearchRequest& request);

// Throws Failure(kUsage) for wrong values and too many lines, and simdjson_error for what is
// not understood.
SearchRequest parse_request(const std::string& body);

}  // namespace neardup
