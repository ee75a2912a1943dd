// What items have in one field, and the keywords made of it (GENIE, Zhou et al. 2018, sections 4
// and 5). A query matches an item as many times as they share keywords.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/search/dense_postings.h"
#include "pipeline/items/schema.h"

namespace neardup {

// The values of all items in one field. After `finish` any thread may read.
class FieldColumn {
 public:
  virtual ~FieldColumn() = default;

  // The value of the next item, which the limits of schema.h allow.
  virtual void add(const FieldValue& value) = 0;
  virtual void finish() {}

  // Keywords are below this.
  virtual std::uint32_t keywords() const = 0;
  // Append `first` + keyword for each keyword of an item or a query.
  virtual void append_item(std::uint32_t item, std::uint32_t first,
                           std::vector<std::uint32_t>& to) const = 0;
  virtual void append_query(const FieldValue& value, std::uint32_t first,
                            std::vector<KeywordRange>& to) const = 0;

  // From a query to an item, for kinds that have one; nothing: the item has no value.
  virtual std::optional<double> distance(const FieldValue& /*query*/,
                                         std::uint32_t /*item*/) const {
    return std::nullopt;
  }
};

std::unique_ptr<FieldColumn> make_column(const FieldSpec& field);

// Strings. Their keywords are ordered n-grams: the i-th occurrence of an n-gram in a string is
// (n-gram, i), so that equal keywords of two strings are the intersection of two multisets. They
// are hashed, which can only add to a match-count.
class StringColumn final : public FieldColumn {
 public:
  explicit StringColumn(std::uint32_t gram) : gram_(gram) {}

  void add(const FieldValue& value) override;
  std::uint32_t keywords() const override { return 1U << kKeywordBits; }
  void append_item(std::uint32_t item, std::uint32_t first,
                   std::vector<std::uint32_t>& to) const override;
  void append_query(const FieldValue& value, std::uint32_t first,
                    std::vector<KeywordRange>& to) const override;
  std::optional<double> distance(const FieldValue& query, std::uint32_t item) const override;

  std::uint32_t gram() const { return gram_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(characters_.size()); }
  std::string_view text(std::uint32_t item) const {
    return std::string_view(bytes_).substr(ends_[item], ends_[item + 1] - ends_[item]);
  }
  std::uint32_t characters(std::uint32_t item) const { return characters_[item]; }

 private:
  // More would be more lists than a cache holds the starts of.
  static constexpr std::uint32_t kKeywordBits = 22;

  void append_grams(std::string_view text, std::uint32_t first,
                    std::vector<std::uint32_t>& to) const;

  std::uint32_t gram_;
  std::string bytes_;
  std::vector<std::uint64_t> ends_{0};  // in `bytes_`, of the item before
  std::vector<std::uint16_t> characters_;
};

// Vectors, by hash functions that map near ones to one bucket: E2LSH (Datar et al. 2004) or random
// binning (Rahimi and Recht 2007), re-hashed to buckets as in section 4.2 of GENIE.
class VectorColumn final : public FieldColumn {
 public:
  explicit VectorColumn(const FieldSpec& field);

  void add(const FieldValue& value) override;
  void finish() override;
  std::uint32_t keywords() const override { return functions_ * kBuckets; }
  void append_item(std::uint32_t item, std::uint32_t first,
                   std::vector<std::uint32_t>& to) const override;
  void append_query(const FieldValue& value, std::uint32_t first,
                    std::vector<KeywordRange>& to) const override;
  std::optional<double> distance(const FieldValue& query, std::uint32_t item) const override;

 private:
  static constexpr std::uint32_t kBuckets = 8192;

  const float* vector(std::uint32_t item) const {
    return values_.data() + std::size_t{places_[item]} * dimensions_;
  }
  double distance(const float* a, const float* b) const;
  double usual_width() const;
  void draw_functions();
  void append_buckets(const float* vector, std::uint32_t first,
                      std::vector<std::uint32_t>& to) const;

  VectorFamily family_;
  std::uint32_t dimensions_;
  std::uint32_t functions_;
  double width_;
  std::vector<float> values_;
  std::vector<std::uint32_t> places_;  // of items in `values_`
  // By dimension and function: E2LSH: the projection divided by the width; random binning: 1
  // divided by the width of a bin.
  std::vector<float> scales_;
  std::vector<float> shifts_;  // E2LSH by function; random binning as scales_
};

// The least number of hash functions with which a match-count of m · s is off by more than
// `epsilon` · m with a probability of `delta` at most, for any similarity s (Eqn 9 of GENIE, with
// counts inside the interval).
std::uint32_t least_functions(double epsilon, double delta);

}  // namespace neardup
