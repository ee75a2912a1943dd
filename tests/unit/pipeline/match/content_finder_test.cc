#include "pipeline/match/content_finder.h"

#include <gtest/gtest.h>

#include "tests/unit/pipeline/match/candidate_path.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::string_view kA = "aaaabbbbccccdddd";

class ContentFinderTest : public CandidatePath {
 protected:
  ContentFinderTest() : CandidatePath(0, 2) {}

  // 0: none.
  Seq same_content(const std::string& name_space = "") {
    const SketchedBatch batch = asked(kA, name_space);
    look_up(batch);
    const DocumentRow* row = content_.find(batch, 0);
    return row == nullptr ? 0 : row->seq;
  }
};

TEST_F(ContentFinderTest, finds_the_oldest_live_document) {
  store(1, kA);
  store(2, kA);
  add(3, kA);
  EXPECT_EQ(same_content(), 1u);
  forget_row(1);
  end(1);
  EXPECT_EQ(same_content(), 2u);
  end(2);
  EXPECT_EQ(same_content(), 3u);
  end(3);
  EXPECT_EQ(same_content(), 0u);
}

TEST_F(ContentFinderTest, finds_the_oldest_whichever_documents_end) {
  constexpr Seq kStored = 300;
  for (Seq seq = 1; seq <= kStored; ++seq) store(seq, kA);
  const SketchedBatch batch = asked(kA);
  look_up(batch);
  for (Seq seq = 1; seq <= kStored; ++seq) {
    ASSERT_EQ(content_.find(batch, 0)->seq, seq);
    add(kStored + seq, kA);
    end(seq);
  }
  EXPECT_EQ(content_.find(batch, 0)->seq, kStored + 1);
}

TEST_F(ContentFinderTest, another_namespace_is_another_world) {
  store(1, kA);
  EXPECT_EQ(same_content("news"), 0u);
  EXPECT_NE(live_.find(1, ""), nullptr);
  EXPECT_EQ(live_.find(1, "news"), nullptr);
  EXPECT_EQ(live_.find(77, ""), nullptr);
}

}  // namespace
}  // namespace neardup::TEST_FILE
