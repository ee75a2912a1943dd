#include <gmock/gmock.h>
#include <simdjson.h>

#include "service/report/tune_report.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::HasSubstr;

ReachReport report_of_test() {
  return make_reach_report({{256, 8, 16, 6}, 10'000'000, 1000, 32, 300'000});
}

TEST(ReachReportTest, TheTextHasALineForEachSimilarityAndEngine) {
  const std::string text = reach_text(report_of_test());
  EXPECT_THAT(text, HasSubstr("among 10000000 strangers"));
  EXPECT_THAT(text, HasSubstr("   J        scan     match       ewh       lsh\n"));
  EXPECT_THAT(text, HasSubstr("  0.40    0.9972    0.9965    0.4928    0.0658\n"));
  EXPECT_THAT(text, HasSubstr("scan   reads 1000 rows of strangers, is complete above 0.6"));
  EXPECT_THAT(text, HasSubstr("match  reads "));
  EXPECT_THAT(text, HasSubstr("its index takes 138 bytes a document (1.4 GB)"));
}

TEST(ReachReportTest, TheJsonHasTheSameFigures) {
  const ReachReport report = report_of_test();
  simdjson::dom::parser parser;
  const simdjson::dom::element root = parser.parse(simdjson::padded_string(reach_json(report)));
  EXPECT_EQ(std::uint64_t(root["documents"]), 10'000'000);
  const simdjson::dom::array engines = root["engines"];
  ASSERT_EQ(engines.size(), report.engines.size());
  for (std::size_t i = 0; i < engines.size(); ++i) {
    const simdjson::dom::element engine = engines.at(i);
    EXPECT_EQ(std::string_view(engine["engine"]), report.engines[i].engine);
    const simdjson::dom::array reach = engine["reach"];
    for (std::size_t j = 0; j < reach.size(); ++j) {
      EXPECT_NEAR(double(reach.at(j)["compared"]), report.engines[i].chances[j], 1e-6);
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
