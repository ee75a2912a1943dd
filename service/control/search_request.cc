#include "service/control/search_request.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"

namespace neardup {
namespace {

using simdjson::dom::element;

// A field that may be missing.
template <class T>
T value_or(const element& root, std::string_view name, T otherwise) {
  const auto found = root[name];
  if (found.error() == simdjson::NO_SUCH_FIELD) return otherwise;
  return T(found);
}

void require_few_hits(const SearchRequest& request) {
  if (request.by != AskedBy::kLines) return;
  const auto lines = static_cast<std::size_t>(std::ranges::count(request.what, '\n'));
  const std::size_t most = pieces_of(kMostHitsAtOnce, request.k).lines;
  if (lines <= most) return;
  throw Failure(Exit::kUsage, fmt::format("queries: {} lines, and with {} hits of each a request "
                                          "may have {}: send the rest in another request",
                                          lines, request.k, most));
}

}  // namespace

EngineName engine_of(std::string_view name) {
  const auto at = std::ranges::find(kEngineNameNames, name);
  if (at == kEngineNameNames.end()) {
    throw Failure(Exit::kUsage, fmt::format("engine: {} is unknown", name));
  }
  return static_cast<EngineName>(at - kEngineNameNames.begin());
}

std::string request_json(const SearchRequest& request) {
  JsonObject json;
  json.text(name(request.by), request.what).text("namespace", request.name_space);
  json.text("engine", name(request.engine)).number("top", request.k);
  json.decimals("min_similarity", request.min_similarity / 1e6, 6);
  return json.boolean("table", request.table).str();
}

SearchRequest parse_request(const std::string& body) {
  simdjson::dom::parser parser;
  const element root = parser.parse(simdjson::padded_string(body));
  SearchRequest request;
  const auto by = std::ranges::find_if(kAskedByNames, [&](std::string_view name) {
    return root[name].error() == simdjson::SUCCESS;
  });
  if (by == kAskedByNames.end())
    throw Failure(Exit::kUsage, "id, text and queries are all missing");
  request.by = static_cast<AskedBy>(by - kAskedByNames.begin());
  request.what = std::string_view(root[*by]);
  request.name_space = value_or<std::string_view>(root, "namespace", "");
  request.engine = engine_of(value_or<std::string_view>(root, "engine", "auto"));
  const auto top = value_or<std::uint64_t>(root, "top", request.k);
  if (top < 1 || top > kMostHits) {
    throw Failure(Exit::kUsage, fmt::format("top: {} is not from 1 to {}", top, kMostHits));
  }
  request.k = static_cast<std::uint32_t>(top);
  const auto least =
      value_or<double>(root, "min_similarity", SimilarOptions().min_similarity / 1e6);
  if (!(least >= 0 && least <= 1)) {
    throw Failure(Exit::kUsage, fmt::format("min_similarity: {} is not from 0 to 1", least));
  }
  request.min_similarity = static_cast<Ppm>(std::lround(least * 1e6));
  request.table = value_or<bool>(root, "table", false);
  require_few_hits(request);
  return request;
}

PieceLimits pieces_of(std::size_t hits, std::uint32_t k) {
  PieceLimits limits;
  limits.lines = std::clamp<std::size_t>(hits / k, 1, limits.lines);
  return limits;
}

std::string_view take_lines(std::string_view& rest, const PieceLimits& limits) {
  rest.remove_prefix(std::min(rest.find_first_not_of('\n'), rest.size()));
  std::size_t end = 0;
  for (std::size_t lines = 0; lines < limits.lines && end < limits.bytes && end < rest.size();
       ++lines) {
    end = std::min(rest.find('\n', end), rest.size() - 1) + 1;
  }
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(end);
  return taken;
}

}  // namespace neardup
