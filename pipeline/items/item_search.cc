#include "pipeline/items/item_search.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "pipeline/base/failure.h"
#include "pipeline/base/in_threads.h"

namespace neardup {

ItemSearch::ItemSearch(Schema schema) : schema_(std::move(schema)) {
  for (const FieldSpec& field : schema_.fields) columns_.push_back(make_column(field));
}

void ItemSearch::add(const Item& item) {
  for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i]->add(item.values[i]);
  ids_ += item.id;
  id_ends_.push_back(ids_.size());
  ++items_;
}

void ItemSearch::finish(std::uint32_t threads) {
  std::uint64_t first = 0;
  for (const auto& column : columns_) {
    column->finish();
    firsts_.push_back(static_cast<std::uint32_t>(first));
    first += column->keywords();
  }
  if (first > std::numeric_limits<std::uint32_t>::max())
    throw Failure(Exit::kUnreadable, "the items have more than 2^32 different keywords");
  postings_ = std::make_unique<DensePostings>(
      items_, [this](std::uint32_t item, auto& to) { append_keywords(item, to); }, threads);
}

void ItemSearch::append_keywords(std::uint32_t item, std::vector<std::uint32_t>& to) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i]->append_item(item, firsts_[i], to);
}

// A match of weight w counts w times.
std::vector<KeywordRange> ItemSearch::keywords_of(const Item& query) const {
  std::vector<KeywordRange> keywords;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!query.values[i].given) continue;
    const std::size_t begin = keywords.size();
    columns_[i]->append_query(query.values[i], firsts_[i], keywords);
    const std::size_t end = keywords.size();
    const std::uint32_t weight = schema_.by_distance() ? 1 : schema_.fields[i].weight;
    for (std::uint32_t w = 1; w < weight; ++w) {
      for (std::size_t j = begin; j < end; ++j) keywords.push_back(KeywordRange(keywords[j]));
    }
  }
  return keywords;
}

std::optional<std::string> ItemSearch::refusal(const Item& query) const {
  const std::size_t score = schema_.by_distance() ? 0 : keywords_of(query).size();
  if (score <= kMostScore) return std::nullopt;
  return fmt::format(
      "the keywords of the query, each with the weight of its field, add up to {}, and counters "
      "end "
      "at {}: shorten the query or lower the weights",
      score, kMostScore);
}

std::uint32_t ItemSearch::score(std::span<const KeywordRange> query, std::uint32_t item) const {
  std::vector<std::uint32_t> keywords;
  append_keywords(item, keywords);
  std::ranges::sort(keywords);
  std::size_t score = 0;
  for (const KeywordRange& range : query) {
    score += static_cast<std::size_t>(std::ranges::upper_bound(keywords, range.last) -
                                      std::ranges::lower_bound(keywords, range.first));
  }
  return static_cast<std::uint32_t>(std::min<std::size_t>(score, kMostScore));
}

std::vector<NearestItems> ItemSearch::nearest(std::span<const Item> queries,
                                              std::span<const DenseQuery> keywords,
                                              const ItemSearchOptions& options) const {
  std::vector<const FieldValue*> values;
  for (const Item& query : queries) values.push_back(&query.values[0]);
  if (schema_.fields[0].kind == FieldKind::kVector)
    return nearest_vectors(*columns_[0], *postings_, keywords, values, options);
  return nearest_strings(static_cast<const StringColumn&>(*columns_[0]), *postings_, keywords,
                         values, options);
}

ItemHit ItemSearch::hit(const Item& query, std::uint32_t item, std::uint32_t score) const {
  ItemHit hit{item, score, {}};
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    hit.distances.push_back(query.values[i].given ? columns_[i]->distance(query.values[i], item)
                                                  : std::nullopt);
  }
  return hit;
}

std::vector<ItemAnswer> ItemSearch::search(std::span<const Item> queries,
                                           const ItemSearchOptions& options) const {
  std::vector<std::vector<KeywordRange>> keywords(queries.size());
  share_out(queries.size(), options.threads,
            [&](std::size_t, std::size_t i) { keywords[i] = keywords_of(queries[i]); });
  const std::vector<DenseQuery> views(keywords.begin(), keywords.end());
  std::vector<ItemAnswer> answers(queries.size());
  if (schema_.by_distance()) {
    const std::vector<NearestItems> found = nearest(queries, views, options);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      answers[i] = {{}, found[i].certain, found[i].by_candidates};
      for (const NearItem& near : found[i].hits)
        answers[i].hits.push_back({near.item, score(views[i], near.item), {near.distance}});
    }
    return answers;
  }
  const auto best = best_matches(*postings_, views, options.k, options.threads);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    answers[i] = {{}, true, true};
    for (const MatchedObject& found : best[i])
      answers[i].hits.push_back(hit(queries[i], found.object, found.count));
  }
  return answers;
}

}  // namespace neardup
