// Answers about similar documents, for programs and for people.
#pragma once

#include <cstdint>
#include <string>

#include "pipeline/search/similar.h"

namespace neardup {

// Facts that an answer does not hold itself.
struct AnswerScope {
  Seq as_of_seq = 0;  // the last record that the state knows
  double milliseconds = 0;
};

// One line, without its end:
//   {"as_of_seq":…,"engine":"scan","complete_above":0.88,"searched":…,"hits":[{"id":…,"seq":…,
//   "similarity":…,"similarity_low":…,"similarity_high":…,"equal":…,"bands_hit":…}, …],
//   "fewer_because":…,"took_ms":…}
// fewer_because only with fewer hits than requested.
std::string answer_json(const SimilarAnswer& answer, const AnswerScope& scope);

// A query without an answer: {"error":…}.
std::string error_json(const std::string& error);

// A table and a sentence about its completeness.
std::string answer_table(const SimilarAnswer& answer, const SimilarOptions& asked,
                         const AnswerScope& scope);

}  // namespace neardup
