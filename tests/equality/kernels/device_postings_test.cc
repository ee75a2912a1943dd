// Postings on a device: the documents that reach the gate are those of MatchCounter.
#if defined(NEARDUP_CUDA)

#include "gpu/cuda/search/device_postings.h"

#include <gtest/gtest.h>

#include "launchers.h"
#include "pipeline/base/failure.h"
#include "stored_postings.h"

namespace neardup::cuda::TEST_FILE {
namespace {

class DevicePostingsTest : public testing::TestWithParam<Launcher> {
 protected:
  void SetUp() override {
    if (!why_not(GetParam()).empty()) GTEST_SKIP() << "no device: " << why_not(GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Device, DevicePostingsTest, testing::Values(Launcher::kDevice));

TEST_P(DevicePostingsTest, finds_what_is_found_on_the_host) {
  for (const auto& [errors, heaviest] : {std::pair(0u, 1u), std::pair(2u, 4u)}) {
    const auto probes = keyword_probes(kKeywordBits, errors, heaviest);
    const auto device = make_device_postings(0, 2, probes, small_limits());
    std::vector<StoredPostings> stored;
    for (const std::uint32_t documents : {1, 300, 31, 32, 0}) {
      stored.emplace_back(documents, 6, 2, documents);
      ASSERT_TRUE(device->has_room(stored.back().segment().postings));
      device->hold(documents, stored.back().segment());
    }
    for (const StoredPostings& segment : stored) {
      for (const std::uint32_t count : {0, 1, 4, 5, 11}) {
        for (const std::uint32_t limit : {128, 40}) {
          SCOPED_TRACE(testing::Message()
                       << errors << " errors, " << segment.documents << " documents, " << count
                       << " queries, limit " << limit);
          const auto queries = segment.queries(count, 2 * heaviest, limit);
          EXPECT_EQ(device->reach(segment.documents, queries.view()),
                    segment.reached(queries, probes, small_limits().hits));
        }
      }
    }
  }
}

TEST_P(DevicePostingsTest, a_query_with_too_many_hits_is_not_answered) {
  const auto probes = keyword_probes(kKeywordBits, 0, 1);
  DevicePostingLimits limits = small_limits();
  const StoredPostings stored(300, 6, 2, 9, 1);  // all have the same keywords
  auto queries = stored.queries(3, 6, 128);
  std::ranges::fill(queries.keywords, std::uint16_t{0});
  for (const std::uint32_t hits : {300u, 299u}) {
    limits.hits = hits;
    const auto device = make_device_postings(0, 2, probes, limits);
    device->hold(1, stored.segment());
    const auto reached = device->reach(1, queries.view());
    for (const auto& places : reached) {
      EXPECT_EQ(places.has_value(), hits == 300);
      if (places) {
        EXPECT_EQ(places->size(), 300u);
      }
    }
  }
}

TEST_P(DevicePostingsTest, room_is_given_back) {
  const auto probes = keyword_probes(kKeywordBits, 0, 1);
  const StoredPostings stored(300, 2, 2, 3);
  const KeywordPostings& postings = stored.segment().postings;
  const auto device = make_device_postings(0, 2, probes, small_limits());
  DevicePostings::Key held = 0;
  while (device->has_room(postings)) device->hold(held++, stored.segment());
  EXPECT_GT(held, 1u);
  device->drop(0);
  EXPECT_TRUE(device->has_room(postings));
  device->hold(0, stored.segment());
  EXPECT_FALSE(device->has_room(postings));
  const auto queries = stored.queries(3, 1, 128);
  const auto wanted = stored.reached(queries, probes, small_limits().hits);
  for (DevicePostings::Key key = 0; key < held; ++key) {
    EXPECT_EQ(device->reach(key, queries.view()), wanted);
  }
}

TEST_P(DevicePostingsTest, a_segment_of_too_many_documents_has_no_room) {
  DevicePostingLimits limits = small_limits();
  limits.documents = 299;
  const auto device = make_device_postings(0, 2, keyword_probes(kKeywordBits, 0, 1), limits);
  EXPECT_FALSE(device->has_room(StoredPostings(300, 2, 2, 3).segment().postings));
  EXPECT_TRUE(device->has_room(StoredPostings(299, 2, 2, 3).segment().postings));
}

TEST_P(DevicePostingsTest, memory_for_queries_is_required) {
  DevicePostingLimits limits = small_limits();
  limits.memory = 1 << 10;
  try {
    make_device_postings(0, 2, keyword_probes(kKeywordBits, 0, 1), limits);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kConfig);
    EXPECT_STREQ(failure.what(), "similar.memory: 0 MiB are too little, the minimum is 1 MiB");
  }
}

}  // namespace
}  // namespace neardup::cuda::TEST_FILE

#endif
