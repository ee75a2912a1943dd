#include "service/search/answer_text.h"

#include <fmt/format.h>

#include <iterator>

#include "pipeline/base/json_object.h"

namespace neardup {
namespace {

constexpr int kDecimals = 3;

double share(Ppm ppm) { return ppm / 1e6; }

std::string hit_json(const SimilarHit& hit) {
  JsonObject json;
  json.text("id", hit.id).number("seq", hit.seq);
  json.decimals("similarity", share(hit.estimate.similarity), kDecimals);
  json.decimals("similarity_low", share(hit.estimate.low), kDecimals);
  json.decimals("similarity_high", share(hit.estimate.high), kDecimals);
  json.number("equal", hit.equal).number("bands_hit", hit.bands_hit);
  return json.str();
}

std::string why_fewer(FewerBecause reason, const SimilarOptions& asked) {
  switch (reason) {
    case FewerBecause::kDocuments:
      return "There are no other documents.";
    case FewerBecause::kMinSimilarity:
      return fmt::format("All others are less similar than {:.3f} (--min-similarity).",
                         share(asked.min_similarity));
    case FewerBecause::kReach:
      return "Others may be similar enough, but were not compared.";
  }
  return {};
}

}  // namespace

std::string answer_json(const SimilarAnswer& answer, const AnswerScope& scope) {
  std::string hits = "[";
  for (const SimilarHit& hit : answer.hits) {
    if (hits.size() > 1) hits += ',';
    hits += hit_json(hit);
  }
  hits += ']';
  JsonObject json;
  json.number("as_of_seq", scope.as_of_seq).text("engine", answer.engine);
  json.decimals("complete_above", share(answer.complete_above), kDecimals);
  json.number("searched", answer.searched).json("hits", hits);
  if (answer.fewer_because) json.text("fewer_because", name(*answer.fewer_because));
  return json.decimals("took_ms", scope.milliseconds, kDecimals).str();
}

std::string error_json(const std::string& error) { return JsonObject().text("error", error).str(); }

std::string answer_table(const SimilarAnswer& answer, const SimilarOptions& asked,
                         const AnswerScope& scope) {
  std::string out;
  const auto add = std::back_inserter(out);
  if (!answer.hits.empty()) {
    fmt::format_to(add, "similarity  95 % interval   equal  bands        seq  id\n");
  }
  for (const SimilarHit& hit : answer.hits) {
    fmt::format_to(add, "{:10.3f}  {:.3f} to {:.3f}  {:5}  {:5}  {:9}  {}\n",
                   share(hit.estimate.similarity), share(hit.estimate.low),
                   share(hit.estimate.high), hit.equal, hit.bands_hit, hit.seq, hit.id);
  }
  if (!answer.hits.empty()) out += '\n';
  fmt::format_to(add, "{} documents searched by {} in {:.1f} ms, as of seq {}.\n", answer.searched,
                 answer.engine, scope.milliseconds, scope.as_of_seq);
  if (answer.complete_above != 0) {
    fmt::format_to(add, "Every document more similar than {:.3f} was compared.\n",
                   share(answer.complete_above));
  }
  if (answer.fewer_because) {
    fmt::format_to(add, "{} of {} hits. {}\n", answer.hits.size(), asked.k,
                   why_fewer(*answer.fewer_because, asked));
  }
  return out;
}

}  // namespace neardup
