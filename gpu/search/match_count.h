// Match-count over postings of keywords (GENIE, Zhou et al. 2018, section 3): how many keywords of
// a query each document has. With probes of changed keywords it is the score of error weighted
// hashing.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "gpu/search/keyword_probes.h"
#include "pipeline/model/keyword_postings.h"

namespace neardup {

// The counters of one thread.
class MatchCounter {
 public:
  // `probes`: of keyword_probes. Requires: over the positions of the postings, the weight of the
  // first adds up to 255 at most.
  explicit MatchCounter(std::vector<KeywordProbe> probes) : probes_(std::move(probes)) {}

  // Appends the places of the documents whose weights add up to `gate` or more, each once, in an
  // order that depends on the postings and the query alone. Requires: gate > 0; keywords of the
  // query for each position of the postings.
  void reach(const KeywordPostings& postings, const std::uint32_t* query, std::uint32_t gate,
             std::vector<std::uint32_t>& reached);

  // Fetches where the lists of a query begin, for a later `reach`.
  void prefetch(const KeywordPostings& postings, const std::uint32_t* query) const;

  // The weight of a keyword of a document, given that of the query. 0: too many bits differ.
  std::uint32_t weight(std::uint32_t keyword, std::uint32_t of_query) const;

 private:
  struct List {
    const std::uint32_t* begin;
    const std::uint32_t* end;
    std::uint8_t weight;
  };
  void find_lists(const KeywordPostings& postings, const std::uint32_t* query);
  static void prefetch(const List& list) {
    __builtin_prefetch(list.begin);
    if (list.end - list.begin > 8) __builtin_prefetch(list.end - 1);
  }
  // Where there are fewer postings than documents, and where there are more.
  void reach_few(std::uint32_t gate, std::vector<std::uint32_t>& reached);
  void reach_many(std::uint32_t documents, std::uint32_t gate, std::vector<std::uint32_t>& reached);
  // After `counted` postings were followed.
  void clear(std::size_t documents, std::size_t counted);

  std::vector<KeywordProbe> probes_;
  std::vector<std::uint8_t> scores_;  // by place; all 0 between two calls
  std::vector<List> lists_;
};

}  // namespace neardup
