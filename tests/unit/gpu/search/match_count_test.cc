// Match-counts and scores of error weighted hashing, beside adding them up document by document.
#include "gpu/search/match_count.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <random>
#include <set>

namespace neardup::TEST_FILE {
namespace {

using testing::SizeIs;

constexpr std::uint32_t kBits = 6;  // of a keyword, so that lists are long
constexpr std::uint32_t kPositions = 9;

// Documents with random keywords, and their postings.
class Postings {
 public:
  explicit Postings(std::uint32_t documents) : keywords_(kPositions) {
    std::mt19937 random(documents);
    for (auto& column : keywords_) {
      for (std::uint32_t i = 0; i < documents; ++i) column.push_back(random() % (1 << kBits));
      add_column(column);
    }
    view_ = {documents, kPositions, 1 << kBits, columns_.data()};
  }

  const KeywordPostings& view() const { return view_; }
  std::vector<std::uint32_t> keywords_of(std::uint32_t document) const {
    std::vector<std::uint32_t> found;
    for (const auto& column : keywords_) found.push_back(column[document]);
    return found;
  }
  std::set<std::uint32_t> reached(const std::vector<std::uint32_t>& query, std::uint32_t errors,
                                  std::uint32_t heaviest, std::uint32_t gate) const {
    std::set<std::uint32_t> found;
    for (std::uint32_t document = 0; document < view_.documents; ++document) {
      std::uint32_t score = 0;
      for (std::uint32_t i = 0; i < kPositions; ++i) {
        const auto differing =
            static_cast<std::uint32_t>(std::popcount(keywords_[i][document] ^ query[i]));
        score += differing <= errors ? heaviest - differing : 0;
      }
      if (score >= gate) found.insert(document);
    }
    return found;
  }

 private:
  void add_column(const std::vector<std::uint32_t>& column) {
    std::vector<std::uint32_t> places;
    for (std::uint32_t value = 0; value < 1 << kBits; ++value) {
      columns_.push_back(static_cast<std::uint32_t>(places.size()));
      for (std::uint32_t i = 0; i < column.size(); ++i) {
        if (column[i] == value) places.push_back(i);
      }
    }
    columns_.push_back(static_cast<std::uint32_t>(places.size()));
    columns_.insert(columns_.end(), places.begin(), places.end());
  }

  std::vector<std::vector<std::uint32_t>> keywords_;  // by position, by document
  std::vector<std::uint32_t> columns_;
  KeywordPostings view_;
};

TEST(MatchCounterTest, EachDocumentThatReachesTheGateIsFoundOnce) {
  for (const auto& [errors, heaviest] : {std::pair{0u, 1u}, {1u, 2u}, {2u, 3u}, {2u, 4u}}) {
    MatchCounter counter(keyword_probes(kBits, errors, heaviest));
    for (const std::uint32_t documents : {500u, 1u, 0u, 900u}) {
      const Postings postings(documents);
      std::vector<std::uint32_t> query(kPositions, 5);
      if (documents != 0) query = postings.keywords_of(documents / 2);
      for (const std::uint32_t gate : {1u, 2u, 5u, kPositions * heaviest}) {
        std::vector<std::uint32_t> reached;
        counter.reach(postings.view(), query.data(), gate, reached);
        const std::set<std::uint32_t> found(reached.begin(), reached.end());
        EXPECT_THAT(reached, SizeIs(found.size()));
        EXPECT_EQ(found, postings.reached(query, errors, heaviest, gate))
            << errors << " errors, gate " << gate;
      }
    }
  }
}

// Scores are compared eight at a time, in bytes of their own.
TEST(MatchCounterTest, EveryGateUpToTheHighestScoreSeparates) {
  constexpr std::uint32_t kHeavy = 28;
  MatchCounter counter(keyword_probes(kBits, 2, kHeavy));
  for (std::uint32_t documents = 500; documents < 509; ++documents) {
    const Postings postings(documents);
    const std::vector<std::uint32_t> query = postings.keywords_of(documents - 1);
    for (std::uint32_t gate = 1; gate <= kPositions * kHeavy; ++gate) {
      std::vector<std::uint32_t> reached;
      counter.reach(postings.view(), query.data(), gate, reached);
      EXPECT_EQ(std::set<std::uint32_t>(reached.begin(), reached.end()),
                postings.reached(query, 2, kHeavy, gate))
          << documents << " documents, gate " << gate;
    }
  }
}

TEST(MatchCounterTest, WeightsFallWithTheErrors) {
  const MatchCounter exact(keyword_probes(0, 0, 1));
  EXPECT_EQ(exact.weight(0x8001, 0x8001), 1);
  EXPECT_EQ(exact.weight(0x8001, 0x8000), 0);
  const MatchCounter counter(keyword_probes(16, 2, 4));
  EXPECT_EQ(counter.weight(0x8001, 0x8001), 4);
  EXPECT_EQ(counter.weight(0x8001, 0x8000), 3);
  EXPECT_EQ(counter.weight(0x8001, 0x0000), 2);
  EXPECT_EQ(counter.weight(0x8001, 0x0002), 0);
}

TEST(KeywordProbesTest, EachMaskStandsThereOnceTheFewestBitsFirst) {
  const auto probes = keyword_probes(16, 2, 3);
  ASSERT_THAT(probes, SizeIs(1 + 16 + 120));
  std::set<std::uint32_t> masks;
  std::uint32_t weight = 3;
  for (const KeywordProbe& probe : probes) {
    masks.insert(probe.mask);
    EXPECT_LT(probe.mask, 1u << 16);
    EXPECT_EQ(probe.weight, 3 - std::popcount(probe.mask));
    EXPECT_LE(probe.weight, weight);
    weight = probe.weight;
  }
  EXPECT_THAT(masks, SizeIs(probes.size()));
  EXPECT_THAT(keyword_probes(0, 0, 1), SizeIs(1));
}

}  // namespace
}  // namespace neardup::TEST_FILE
