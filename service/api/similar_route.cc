#include "service/api/similar_route.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "pipeline/core/failure.h"
#include "service/api/failures.h"
#include "service/search/search_request.h"

namespace neardup {
namespace {

constexpr const char* kText = "text/plain";

Ppm floor_of(const std::string& text) {
  double value = -1;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end || !(value >= 0 && value <= 1))
    throw Failure(Exit::kUsage, "floor: give a number from 0 to 1, such as 0.5");
  return static_cast<Ppm>(std::lround(value * kOne));
}

HttpAnswer similar(Searches& searches, const HttpRequest& request) {
  SearchRequest asked;
  asked.by = request.type == kText ? AskedBy::kText : AskedBy::kLines;
  asked.what = request.body;
  asked.name_space = request.text("namespace");
  asked.engine = engine_of(request.text("engine", name(EngineName::kAuto)));
  const SimilarOptions usual;
  asked.k = static_cast<std::uint32_t>(request.number("k", usual.k));
  asked.min_similarity =
      request.has("floor") ? floor_of(request.text("floor")) : usual.min_similarity;
  const std::string body = request_json(asked);
  return {200, searches.use([&](const SearchAnswer& answer) { return answer(body); }),
          kJsonLinesType};
}

}  // namespace

HttpRoute similar_route(Searches& searches) {
  return {.methods = {"POST"},
          .path = "/v1/similar",
          .access = HttpAccess::kRead,
          .thread = HttpThread::kControl,
          .answer =
              [&searches](const HttpRequest& request) {
                return answered([&] { return similar(searches, request); });
              },
          .name = "similar_documents",
          .about =
              "The stored documents most similar to each query: JSON Lines with an id or a "
              "text, or, as text/plain, one text. An answer a line, in the same order.",
          .parameters = {{.name = "k",
                          .about = "Hits of an answer at most; 10 if not given.",
                          .kind = HttpParameter::Kind::kNumber,
                          .least = 1,
                          .most = kMostHits},
                         {.name = "floor",
                          .about = "The least similarity of a hit, from 0 to 1; 0.3 if not given."},
                         {.name = "engine", .about = "auto, scan, match, ewh or lsh."},
                         {.name = "namespace",
                          .about = "The namespace to search, where a query names none."}},
          .takes = {kJsonLinesType, kText},
          .gives = kJsonLinesType,
          .problems = {422}};
}

}  // namespace neardup
