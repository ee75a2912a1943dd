// Searches for the items of a schema that match queries best (GENIE, Zhou et al. 2018).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/search/dense_postings.h"
#include "pipeline/items/columns.h"
#include "pipeline/items/nearest.h"
#include "pipeline/items/schema.h"

namespace neardup {

struct ItemHit {
  std::uint32_t item = 0;   // from 0, in the order of `add`
  std::uint32_t score = 0;  // the match-count, each match with the weight of its field
  // Of strings and vectors, by field; nothing: the item or the query has none.
  std::vector<std::optional<double>> distances;
};

// Ordered by distance (Schema::by_distance) or else by score, the highest first; then by item.
// Items without a match are no hits of a search by score.
struct ItemAnswer {
  std::vector<ItemHit> hits;
  bool certain = false;        // proven to be the best of all items
  bool by_candidates = false;  // … by the first candidates alone
};

class ItemSearch {
 public:
  // Requires: a schema with 1 to kMostFields fields within the limits of schema.h.
  explicit ItemSearch(Schema schema);

  // Adds an item; `finish` ends that, and takes the time that indexing takes.
  void add(const Item& item);
  void finish(std::uint32_t threads);

  const Schema& schema() const { return schema_; }
  std::uint32_t items() const { return items_; }
  std::string_view id(std::uint32_t item) const {
    return std::string_view(ids_).substr(id_ends_[item], id_ends_[item + 1] - id_ends_[item]);
  }

  // Why a query has no answer, for people; nothing: it has one. Requires: finished.
  std::optional<std::string> refusal(const Item& query) const;

  // Any thread. Requires: finished; queries that `refusal` takes.
  std::vector<ItemAnswer> search(std::span<const Item> queries,
                                 const ItemSearchOptions& options) const;

 private:
  std::vector<KeywordRange> keywords_of(const Item& query) const;
  std::uint32_t score(std::span<const KeywordRange> query, std::uint32_t item) const;
  std::vector<NearestItems> nearest(std::span<const Item> queries,
                                    std::span<const DenseQuery> keywords,
                                    const ItemSearchOptions& options) const;
  ItemHit hit(const Item& query, std::uint32_t item, std::uint32_t score) const;
  void append_keywords(std::uint32_t item, std::vector<std::uint32_t>& to) const;

  Schema schema_;
  std::vector<std::unique_ptr<FieldColumn>> columns_;  // by field
  std::vector<std::uint32_t> firsts_;                  // the first keyword of each
  std::uint32_t items_ = 0;
  std::string ids_;
  std::vector<std::uint64_t> id_ends_{0};
  std::unique_ptr<DensePostings> postings_;
};

}  // namespace neardup
