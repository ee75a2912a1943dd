#include "pipeline/search/keyword_part.h"

#include <algorithm>

namespace neardup {
namespace {

// So many queries are counted before their documents are looked up.
constexpr std::size_t kQueriesAtOnce = 64;

std::vector<std::uint32_t> keywords_of(const KeywordSearch& search,
                                       std::span<const EngineQuery> queries) {
  const std::size_t each = search.keywords.count();
  std::vector<std::uint32_t> keywords(queries.size() * each);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const bool of_bits = search.source == KeywordSource::kOneBit;
    search.keywords.of(of_bits ? queries[i].one_bit : queries[i].sketch,
                       keywords.data() + i * each);
  }
  return keywords;
}

}  // namespace

KeywordPart::KeywordPart(const KeywordPass& pass, std::span<const EngineQuery> queries)
    : pass_(pass),
      queries_(queries),
      keywords_each_(pass.search.keywords.count()),
      keywords_(keywords_of(pass.search, queries)),
      nearest_(queries.size(), Shortlist(pass.most)),
      counter_(pass.probes) {}

void KeywordPart::add(const Segment& segment) {
  const KeywordPostings& postings = segment.postings();
  if (!queries_.empty()) counter_.prefetch(postings, keywords(0));
  add_each(segment, [&](std::size_t query) {
    if (query + 1 < queries_.size()) counter_.prefetch(postings, keywords(query + 1));
    counter_.reach(postings, keywords(query), pass_.search.gate, reached_);
  });
}

void KeywordPart::add(const Segment& segment, std::span<const std::optional<Places>> reached) {
  add_each(segment, [&](std::size_t query) {
    if (reached[query]) {
      reached_ = *reached[query];
    } else {
      counter_.reach(segment.postings(), keywords(query), pass_.search.gate, reached_);
    }
  });
}

// reach(query) sets reached_.
template <class Reach>
void KeywordPart::add_each(const Segment& segment, const Reach& reach) {
  for (std::size_t query = 0; query < queries_.size(); ++query) {
    reached_.clear();
    reach(query);
    for (const std::uint32_t place : reached_) segment.prefetch_seq(place);
    for (const std::uint32_t place : reached_) seqs_.push_back(segment.seq(place));
    owners_.resize(seqs_.size(), static_cast<std::uint32_t>(query));
    if (query % kQueriesAtOnce == kQueriesAtOnce - 1) offer_collected();
  }
  offer_collected();
}

void KeywordPart::offer_collected() {
  pass_.view.look_up(seqs_, [&](std::size_t i, NamespaceTag tag, const std::uint64_t* one_bit) {
    const EngineQuery& query = queries_[owners_[i]];
    if (tag != query.tag || seqs_[i] == query.except) return;
    const std::uint32_t distance = pass_.scan.distance(one_bit, query.one_bit, pass_.words);
    if (distance <= pass_.limit) nearest_[owners_[i]].offer(distance, seqs_[i]);
  });
  seqs_.clear();
  owners_.clear();
}

// The same documents, found in the other order: first the ones within the limit, of them the ones
// that reach the gate. There are too few for postings.
void KeywordPart::add(const TailView& tail) {
  if (tail.size() == 0) return;
  std::vector<RowQuery> rows;
  for (const EngineQuery& query : queries_) {
    rows.push_back(
        {query.one_bit, query.tag, query.except, Shortlist(tail.size(), pass_.limit + 1)});
  }
  const RowQueries row_queries(rows, pass_.words);
  pass_.view.visit(tail.seqs().front(), tail.seqs().back() + 1, [&](const SketchBlock& block) {
    pass_.scan.add(block, row_queries);
    return true;
  });
  for (std::size_t query = 0; query < rows.size(); ++query) {
    for (const NearSeq& near : rows[query].nearest.finish()) {
      const auto at = std::ranges::lower_bound(tail.seqs(), near.seq);
      if (at == tail.seqs().end() || *at != near.seq) continue;
      const auto place = static_cast<std::size_t>(at - tail.seqs().begin());
      if (score(tail, place, keywords(query)) >= pass_.search.gate) {
        nearest_[query].offer(near.distance, near.seq);
      }
    }
  }
}

std::uint32_t KeywordPart::score(const TailView& tail, std::size_t place,
                                 const std::uint32_t* query) const {
  std::uint32_t score = 0;
  for (std::uint32_t i = 0; i < keywords_each_; ++i) {
    score += counter_.weight(tail.column(i)[place], query[i]);
  }
  return score;
}

}  // namespace neardup
