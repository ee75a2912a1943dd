// The kernel of dense match-counts finds the objects with most keywords, those of equal counts by
// place.
#include <random>

#include "search_memory.h"

namespace neardup::cuda::TEST_FILE {
namespace {

using Hits = std::vector<std::pair<u32, u32>>;  // count and object

// Objects of one segment, each with a keyword of each function.
struct Objects {
  std::vector<u32> keywords;  // functions, for each object
  u32 first = 0;
  u32 count = 0;
};

struct Case {
  u32 functions;
  u32 domain;
  u32 k;
  std::vector<Objects> segments;
  std::vector<u32> queries;  // functions each

  u32 query_count() const { return static_cast<u32>(queries.size() / functions); }

  Hits wanted(const Objects& objects, u32 query) const {
    Hits all;
    for (u32 i = 0; i < objects.count; ++i) {
      u32 count = 0;
      for (u32 j = 0; j < functions; ++j) {
        const u32 asked = queries[query * functions + j];
        count += asked < domain && objects.keywords[std::size_t{i} * functions + j] == asked;
      }
      if (count > 0) all.emplace_back(count, objects.first + i);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    const u32 kth = all.size() < k ? 0 : all[k - 1].first;
    all.resize(k, {0, 0});
    const auto above =
        std::find_if(all.begin(), all.end(), [&](const auto& hit) { return hit.first <= kth; });
    std::sort(all.begin(), above, [](const auto& a, const auto& b) { return a.second < b.second; });
    return all;
  }
};

Objects random_objects(std::mt19937_64& random, u32 first, u32 count, u32 functions, u32 domain) {
  Objects objects{{}, first, count};
  for (u64 i = 0; i < u64{count} * functions; ++i) {
    objects.keywords.push_back(static_cast<u32>(random() % domain));
  }
  return objects;
}

class DenseMatchTest : public SearchKernelsTest {
 protected:
  void expect_hits(const Case& of) const {
    std::vector<Memory<u32>> starts;
    std::vector<Memory<std::uint16_t>> places;
    std::vector<DenseSegment> segments;
    u32 most = 0;
    for (const Objects& objects : of.segments) {
      const Postings postings = postings_of(of, objects);
      starts.push_back(memory(postings.starts));
      places.push_back(memory(postings.places));
      most = std::max(most, objects.count);
    }
    for (std::size_t i = 0; i < starts.size(); ++i) {
      segments.push_back(
          {starts[i].get(), places[i].get(), of.segments[i].first, of.segments[i].count});
    }
    const u32 segment_count = static_cast<u32>(segments.size());
    auto device_segments = memory(segments);
    auto queries = memory(of.queries);
    auto hits = filled<DenseHit>(std::size_t{segment_count} * of.query_count() * of.k, {77, 77});
    run_kernels(GetParam(),
                DenseMatch{device_segments.get(), segment_count, most, queries.get(),
                           of.query_count(), of.functions, of.domain, of.k, hits.get()});
    const std::vector<DenseHit>& all = hits.read();
    std::size_t at = 0;
    for (const Objects& objects : of.segments) {
      for (u32 query = 0; query < of.query_count(); ++query) {
        Hits found;
        for (u32 i = 0; i < of.k; ++i, ++at) {
          found.emplace_back(all[at].count, all[at].object);
        }
        ASSERT_EQ(found, of.wanted(objects, query))
            << objects.count << " objects, query " << query << ", " << of.functions
            << " functions of " << of.domain << " values, k " << of.k;
      }
    }
  }

 private:
  struct Postings {
    std::vector<u32> starts;
    std::vector<std::uint16_t> places;
  };
  static Postings postings_of(const Case& of, const Objects& objects) {
    Postings postings;
    for (u32 function = 0; function < of.functions; ++function) {
      std::vector<std::vector<std::uint16_t>> lists(of.domain);
      for (u32 i = 0; i < objects.count; ++i) {
        const u32 keyword = objects.keywords[std::size_t{i} * of.functions + function];
        lists[keyword].push_back(static_cast<std::uint16_t>(i));
      }
      for (const auto& list : lists) {
        postings.starts.push_back(static_cast<u32>(postings.places.size()));
        postings.places.insert(postings.places.end(), list.begin(), list.end());
      }
      postings.starts.push_back(static_cast<u32>(postings.places.size()));
    }
    return postings;
  }
};
INSTANTIATE_TEST_SUITE_P(Serial, DenseMatchTest, testing::Values(Launcher::kSerial));
INSTANTIATE_TEST_SUITE_P(Device, DenseMatchTest, testing::Values(Launcher::kDevice));

TEST_P(DenseMatchTest, finds_the_k_with_most_keywords) {
  std::mt19937_64 random(8);
  for (const u32 functions : {1, 3, 70}) {
    for (const u32 domain : {1, 2, 67}) {
      Case of{functions, domain, 0, {}, {}};
      u32 first = 0;
      for (const u32 count : {0, 1, 3, 4, 5, 255, 1023, 1024, 1025, 2500}) {
        of.segments.push_back(random_objects(random, first, count, functions, domain));
        first += count;
      }
      for (u32 i = 0; i < 3 * functions; ++i) {
        of.queries.push_back(static_cast<u32>(random() % (domain + 1)));  // some have no places
      }
      for (const u32 k : {1, 10, 100, 3000}) {
        of.k = k;
        expect_hits(of);
      }
    }
  }
}

TEST_P(DenseMatchTest, all_ties_are_decided_by_place) {
  std::mt19937_64 random(9);
  Case of{5, 1, 300, {random_objects(random, 1'000, 2'000, 5, 1)}, std::vector<u32>(5, 0)};
  expect_hits(of);
}

TEST_P(DenseMatchTest, an_object_can_have_all_of_255_keywords) {
  std::mt19937_64 random(10);
  Case of{255, 2, 4, {random_objects(random, 0, 40, 255, 2)}, {}};
  for (u32 i : {7, 8}) {
    const auto own = of.segments[0].keywords.begin() + i * 255;
    of.queries.insert(of.queries.end(), own, own + 255);
    std::copy_n(own, 255, of.segments[0].keywords.end() - i * 255);  // has an equal, later
  }
  EXPECT_EQ(of.wanted(of.segments[0], 0)[0], (std::pair<u32, u32>{255, 7}));
  expect_hits(of);
}

TEST_P(DenseMatchTest, a_segment_can_be_full) {
  std::mt19937_64 random(11);
  Case of{6, 3, 50, {random_objects(random, 70'000, kDenseObjects, 6, 3)}, {}};
  of.queries = {0, 1, 2, 0, 1, 2, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2};
  for (const u32 k : {1, 50, 5'000}) {
    of.k = k;
    expect_hits(of);
  }
}

TEST_P(DenseMatchTest, no_query_and_no_segment_give_no_hit) {
  expect_hits({1, 1, 1, {{{}, 0, 0}}, {}});
  expect_hits({1, 1, 1, {}, {0}});
}

}  // namespace
}  // namespace neardup::cuda::TEST_FILE
