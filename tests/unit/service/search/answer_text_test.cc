#include "service/search/answer_text.h"

#include <gmock/gmock.h>

namespace neardup::TEST_FILE {
namespace {

using testing::HasSubstr;
using testing::Not;

SimilarAnswer answer_of_two() {
  SimilarAnswer answer;
  answer.engine = "scan";
  answer.complete_above = 530'000;
  answer.searched = 5547;
  answer.hits = {{"a \"b\"", 1030, {906'000, 864'000, 936'000}, 232, 9},
                 {"c", 549, {608'000, 547'000, 666'000}, 156, 0}};
  return answer;
}

TEST(AnswerJson, IsOneObjectWithItsFieldsInOrder) {
  EXPECT_EQ(answer_json(answer_of_two(), {8000, 21.7}),
            R"({"as_of_seq":8000,"engine":"scan","complete_above":0.530,"searched":5547,"hits":[)"
            R"({"id":"a \"b\"","seq":1030,"similarity":0.906,"similarity_low":0.864,)"
            R"("similarity_high":0.936,"equal":232,"bands_hit":9},)"
            R"({"id":"c","seq":549,"similarity":0.608,"similarity_low":0.547,)"
            R"("similarity_high":0.666,"equal":156,"bands_hit":0}],"took_ms":21.700})");
}

TEST(AnswerJson, SaysWhyThereAreFewerHits) {
  SimilarAnswer answer = answer_of_two();
  for (const auto& [reason, word] : {std::pair{FewerBecause::kDocuments, "documents"},
                                     std::pair{FewerBecause::kMinSimilarity, "min_similarity"},
                                     std::pair{FewerBecause::kReach, "reach"}}) {
    answer.fewer_because = reason;
    EXPECT_THAT(answer_json(answer, {}),
                HasSubstr("],\"fewer_because\":\"" + std::string(word) + "\",\"took_ms\":"));
  }
}

TEST(AnswerJson, AnErrorIsAnObject) {
  EXPECT_EQ(error_json("no \"id\""), R"({"error":"no \"id\""})");
}

TEST(AnswerTable, ShowsHitsAndCompleteness) {
  const std::string table = answer_table(answer_of_two(), {.k = 2}, {8000, 21.7});
  EXPECT_THAT(table, HasSubstr("0.906  0.864 to 0.936    232      9       1030  a \"b\"\n"));
  EXPECT_THAT(table, HasSubstr("5547 documents searched by scan in 21.7 ms, as of seq 8000.\n"));
  EXPECT_THAT(table, HasSubstr("Every document more similar than 0.530 was compared.\n"));
  EXPECT_THAT(table, Not(HasSubstr("of 2 hits")));
}

TEST(AnswerTable, SaysWhyThereAreFewerHits) {
  SimilarAnswer answer;
  answer.engine = "scan";
  answer.fewer_because = FewerBecause::kMinSimilarity;
  const std::string table = answer_table(answer, {.k = 3, .min_similarity = 250'000}, {});
  EXPECT_THAT(table, HasSubstr("0 of 3 hits. All others are less similar than 0.250"));
  EXPECT_THAT(table, Not(HasSubstr("similarity  95 %")));
}

}  // namespace
}  // namespace neardup::TEST_FILE
