// A segment of keywords with 1-bit sketches, and what MatchCounter finds in it.
#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <vector>

#include "gpu/search/device_postings.h"
#include "gpu/search/match_count.h"

namespace neardup {

// Few queries at once, few hits, two groups of counters.
inline DevicePostingLimits small_limits() { return {16 << 20, 300, 4, 200, 2}; }

struct StoredQueries {
  std::uint32_t count;
  std::vector<std::uint16_t> keywords;
  std::vector<std::uint64_t> one_bits;
  std::uint32_t gate;
  std::uint32_t limit;

  MatchQueries view() const { return {count, keywords.data(), one_bits.data(), gate, limit}; }
};

struct StoredPostings {
  // Keywords have so many different values.
  StoredPostings(std::uint32_t documents_, std::uint32_t keywords_, std::uint32_t words_,
                 std::uint64_t seed, std::uint32_t values = 12)
      : documents(documents_), keywords(keywords_), words(words_) {
    std::mt19937_64 random(seed);
    std::vector<std::vector<std::uint16_t>> columns_of(keywords);
    for (auto& column : columns_of) {
      for (std::uint32_t i = 0; i < documents; ++i) {
        column.push_back(static_cast<std::uint16_t>(random() % values * 5000));
      }
      add_column(column);
    }
    for (std::size_t i = 0; i < std::size_t{documents} * words; ++i) {
      one_bits.push_back(random() & random());
    }
    unknown.resize(documents / 32 + 1);
    for (std::uint32_t place = 3; place < documents; place += 11) {
      unknown[place / 32] |= 1u << place % 32;
    }
  }

  DocumentPostings segment() const {
    return {{.documents = documents, .keywords = keywords, .columns = columns.data()},
            one_bits.data(),
            unknown.data()};
  }

  StoredQueries queries(std::uint32_t count, std::uint32_t gate, std::uint32_t limit) const {
    std::mt19937_64 random(count);
    StoredQueries queries{count, {}, {}, gate, limit};
    for (std::uint32_t i = 0; i < count * keywords; ++i) {
      queries.keywords.push_back(static_cast<std::uint16_t>(random() % 12 * 5000 ^ random() % 2));
    }
    for (std::uint32_t i = 0; i < count * words; ++i) {
      queries.one_bits.push_back(random() & random());
    }
    return queries;
  }

  // Nothing for a query with more than `most` places.
  std::vector<std::optional<std::vector<std::uint32_t>>> reached(
      const StoredQueries& queries, const std::vector<KeywordProbe>& probes,
      std::size_t most) const {
    MatchCounter counter(probes);
    std::vector<std::optional<std::vector<std::uint32_t>>> reached(queries.count);
    for (std::uint32_t i = 0; i < queries.count; ++i) {
      const auto* own = queries.keywords.data() + std::size_t{i} * keywords;
      const std::vector<std::uint32_t> wide(own, own + keywords);
      std::vector<std::uint32_t> places;
      counter.reach(segment().postings, wide.data(), queries.gate, places);
      const auto* query = queries.one_bits.data() + std::size_t{i} * words;
      std::erase_if(places, [&](auto place) { return !is_near(place, query, queries.limit); });
      std::ranges::sort(places);
      if (places.size() <= most) reached[i] = std::move(places);
    }
    return reached;
  }

  std::uint32_t documents;
  std::uint32_t keywords;
  std::uint32_t words;
  std::vector<std::uint32_t> columns;
  std::vector<std::uint64_t> one_bits;
  std::vector<std::uint32_t> unknown;

 private:
  void add_column(const std::vector<std::uint16_t>& values) {
    std::vector<std::uint32_t> starts(kKeywordValues + 1);
    for (const std::uint16_t value : values) ++starts[value + 1u];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<std::uint32_t> places(values.size());
    std::iota(places.begin(), places.end(), 0u);
    std::ranges::stable_sort(places, {}, [&](auto place) { return values[place]; });
    columns.insert(columns.end(), starts.begin(), starts.end());
    columns.insert(columns.end(), places.begin(), places.end());
  }
  bool is_near(std::uint32_t place, const std::uint64_t* query, std::uint32_t limit) const {
    if ((unknown[place / 32] >> place % 32 & 1) != 0) return true;
    std::uint32_t distance = 0;
    for (std::uint32_t i = 0; i < words; ++i) {
      const std::uint64_t word = one_bits[std::size_t{place} * words + i];
      distance += static_cast<std::uint32_t>(std::popcount(word ^ query[i]));
    }
    return distance <= limit;
  }
};

}  // namespace neardup
