#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <string_view>
#include <vector>

#include "pipeline/base/failure.h"
#include "service/api/failures.h"
#include "service/api/routes.h"
#include "service/control/search_request.h"
#include "service/http/message/problem.h"
#include "service/http/spool.h"

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

// What the parameters say, without what is asked about.
SearchRequest asked_by(const HttpRequest& request) {
  SearchRequest asked;
  asked.by = request.type == kText ? AskedBy::kText : AskedBy::kLines;
  asked.name_space = request.text("namespace");
  asked.engine = engine_of(request.text("engine", name(EngineName::kAuto)));
  const SimilarOptions usual;
  asked.k = static_cast<std::uint32_t>(request.number("k", usual.k));
  asked.min_similarity =
      request.has("floor") ? floor_of(request.text("floor")) : usual.min_similarity;
  return asked;
}

void add_answers(const SearchRequest& asked, Searches& searches, Spool& spool) {
  spool.append(searches.use([&](const SearchAnswer& answer) { return answer(asked); }));
}

// Piece by piece, so that what is held of the answer does not grow with their number. False: the
// client has left.
bool answer_lines(SearchRequest asked, const HttpRequest& request, Searches& searches,
                  Spool& spool) {
  const PieceLimits limits = pieces_of(kMostHits, asked.k);
  std::string_view rest = request.body;
  while (!request.gone()) {
    asked.what = take_lines(rest, limits);
    if (asked.what.empty()) return true;
    add_answers(asked, searches, spool);
  }
  return false;
}

HttpAnswer similar(Searches& searches, SpoolBudget& budget, const HttpRequest& request) {
  SearchRequest asked = asked_by(request);
  const auto spool = std::make_shared<Spool>(budget, kMostSimilarAnswer);
  try {
    if (asked.by == AskedBy::kText) {
      asked.what = request.body;
      add_answers(asked, searches, *spool);
    } else if (!answer_lines(asked, request, searches, *spool)) {
      return problem(400, "client_left", "the client closed its side before all was answered");
    }
  } catch (const SpoolFull& full) {
    return problem_of(full, "send fewer queries at once, or request fewer hits by k and floor",
                      "ask again");
  }
  return {.status = 200, .body = {}, .type = kJsonLinesType, .fields = {}, .rest = spool};
}

// Those that the service answers.
std::vector<std::string> engines(const SearchOptions& options) {
  std::vector<std::string> words{"auto", "scan", "lsh"};
  if (options.index == KeywordIndexMode::kOn)
    words.emplace_back(options.engine == EngineName::kEwh ? "ewh" : "match");
  return words;
}

}  // namespace

HttpRoute similar_route(Searches& searches, const SearchOptions& options, SpoolBudget& budget) {
  return {.methods = {"POST"},
          .path = "/v1/similar",
          .access = HttpAccess::kRead,
          .thread = HttpThread::kControl,
          .answer =
              [&searches, &budget](const HttpRequest& request) {
                return answered([&] { return similar(searches, budget, request); });
              },
          .long_work = true,
          .name = "similar_documents",
          .about =
              "The stored documents most similar to each query: JSON Lines with an id or a "
              "text, or, as text/plain, one text. An answer a line, in the same order.",
          .parameters = {{.name = "k",
                          .about = "Maximum number of hits; default 10.",
                          .kind = HttpParameter::Kind::kNumber,
                          .least = 1,
                          .most = kMostHits},
                         {.name = "floor",
                          .about = "Minimum similarity of a hit, from 0 to 1; default 0.3."},
                         {.name = "engine",
                          .about = "How documents are found; `match` and `ewh` need their index "
                                   "(similar.index, similar.engine).",
                          .words = engines(options)},
                         {.name = "namespace", .about = "Namespace of queries that name none."}},
          .takes = {kJsonLinesType, kText},
          .gives = kJsonLinesType,
          .problems = {422}};
}

}  // namespace neardup
