// What a device holds of an index of keywords.
#include "pipeline/search/device_segments.h"

#include <gmock/gmock.h>

#include "pipeline/search/keyword_engine.h"
#include "tests/unit/pipeline/search/host_devices.h"
#include "tests/unit/pipeline/search/search_fixture.h"

namespace neardup::TEST_FILE {
namespace {

class DeviceSegmentsTest : public SimilarAmongMany {
 protected:
  DeviceSegmentsTest() {
    KeywordIndexOptions options;
    options.kind = {1, search_.source, search_.keywords.count()};
    options.least_documents = 200;
    options.most_documents = 1'000;
    index_ = std::make_shared<KeywordIndex>(options, keyword_maker(rule_.plan, search_));
    index_->follow(*store_->sketches());
  }

  std::vector<std::vector<NearSeq>> nominated(const SearchEngine& engine, const SketchView& view) {
    std::vector<Sketch> one_bits;
    for (const Sketch& sketch : queries_) {
      one_bits.emplace_back(rule_.plan.shape().one_bit_words());
      pack_one_bit(rule_.plan, sketch.data(), one_bits.back().data());
    }
    std::vector<EngineQuery> queries;
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      queries.push_back({queries_[i].data(), one_bits[i].data(), "", namespace_tag(""), 0});
    }
    std::vector<std::vector<NearSeq>> documents;
    for (const Nominated& found : engine.nominate(view, queries, {50, 600'000})) {
      documents.push_back(found.documents);
    }
    return documents;
  }

  const KeywordSearch search_ = match_search(rule_.plan.shape());
  std::shared_ptr<KeywordIndex> index_;
  HostDeviceState device_;
};

TEST_F(DeviceSegmentsTest, AnOlderViewFindsWhatHadEndedWhenTheDeviceWasFilled) {
  const SketchShape shape = rule_.plan.shape();
  const auto older = store_->sketches();
  std::vector<Seq> live;
  for (const auto& [seq, sketch] : documents_[""]) live.push_back(seq);
  for (const Seq seq : live) {
    if (seq % 3 != 0) remove(seq);
  }
  const auto newer = store_->sketches();
  const auto on_cpu = make_keyword_engine(shape, search_, index_, {});
  const auto on_device =
      make_keyword_engine(shape, search_, index_, {},
                          host_segments(device_, 100, shape.one_bit_words(), search_.probes()));
  ASSERT_NE(nominated(*on_cpu, *newer), nominated(*on_cpu, *older));
  for (const SketchView* view : {newer.get(), older.get(), newer.get()}) {
    EXPECT_EQ(nominated(*on_device, *view), nominated(*on_cpu, *view));
  }
}

TEST_F(DeviceSegmentsTest, MergedSegmentsGiveTheirRoomToOthers) {
  const std::uint32_t words = rule_.plan.shape().one_bit_words();
  for (int i = 0; i < 900; ++i) {  // several small segments
    add(random_sketch());
    if (i % 220 == 219) index_->follow(*store_->sketches());
  }
  const auto view = store_->sketches();
  const KeywordParts before = index_->parts();
  DeviceSegments segments(
      std::make_unique<HostPostings>(device_, before.segments.size(), words, search_.probes()),
      words);
  const auto held = [&](const KeywordParts& parts) {
    return std::ranges::count_if(parts.segments,
                                 [&](const auto& segment) { return segments.holds(*segment); });
  };
  segments.follow(before.segments, *view);
  EXPECT_EQ(held(before), static_cast<std::ptrdiff_t>(before.segments.size()));
  index_->maintain(*view);
  const KeywordParts merged = index_->parts();
  ASSERT_LT(merged.segments.size(), before.segments.size());
  segments.follow(merged.segments, *view);
  EXPECT_EQ(held(merged), static_cast<std::ptrdiff_t>(merged.segments.size()));
  EXPECT_LT(held(before), static_cast<std::ptrdiff_t>(before.segments.size()));
}

TEST_F(DeviceSegmentsTest, TheFirstSegmentsAreHeldWhenNotAllFit) {
  const std::uint32_t words = rule_.plan.shape().one_bit_words();
  const KeywordParts parts = index_->parts();
  ASSERT_GT(parts.segments.size(), 2u);
  DeviceSegments segments(std::make_unique<HostPostings>(device_, 2, words, search_.probes()),
                          words);
  segments.follow(parts.segments, *store_->sketches());
  for (std::size_t i = 0; i < parts.segments.size(); ++i) {
    EXPECT_EQ(segments.holds(*parts.segments[i]), i < 2);
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
