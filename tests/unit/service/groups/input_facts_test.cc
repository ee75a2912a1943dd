#include "service/groups/input_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/model/text_batch.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;

// The members 0, "a" of 7 bytes, and 1, its copy "b".
Grouping some_group() {
  Grouping grouping;
  grouping.add({.seq = 1, .id = "a", .facts = facts_of("", 7)});
  grouping.add({.seq = 2, .id = "b", .original = 1, .original_id = "a"});
  grouping.finish();
  return grouping;
}

class InputFactsTest : public testing::Test {
 protected:
  void add(std::string json) {
    const std::size_t size = json.size();
    json.append(kTextPadding, '\0');
    facts_.add({.bytes = std::string_view(json).substr(0, size), .source = {}, .size = size});
  }

  Facts of(std::size_t member) { return grouping_.members()[member].facts; }

  Grouping grouping_ = some_group();
  InputFacts facts_{{}, {}, {"/q", "/more/0"}, grouping_};
};

TEST_F(InputFactsTest, they_are_for_what_flags_do_not_say) {
  add(R"({"id":"a","text":"four","url":"http://x/"})");
  add(R"({"id":"b","text":"\u00e9","url":"https://x/y"})");
  facts_.finish();
  EXPECT_EQ(of(0), facts_of("http://x/", 7));
  EXPECT_EQ(of(1), facts_of("https://x/y", 2));
}

TEST_F(InputFactsTest, the_last_record_of_an_id_that_is_taken_counts) {
  add(R"({"id":"b","text":"long text"})");
  add(R"({"id":"b","text":"short","q":3})");
  add(R"({"id":"b","text":5,"q":4})");
  add(R"({"id":"b","delete":true,"q":5})");
  add(R"({"id":"b","text":"of another","namespace":"n","q":6})");
  add("{");
  facts_.finish();
  EXPECT_EQ(of(1).text_bytes, 5);
  EXPECT_THAT(facts_.scores_of(1), ElementsAre(3, kNoScore));
}

TEST_F(InputFactsTest, scores_are_numbers) {
  add(R"({"id":"a","text":"t","q":-0.5e1,"more":[7]})");
  EXPECT_THAT(facts_.scores_of(0), ElementsAre(-5, 7));
  for (const char* other : {"\"5\"", "true", "null", "[5]", "{}", "1e999"}) {
    add(std::string(R"({"id":"a","text":"t","q":)") + other + "}");
    EXPECT_THAT(facts_.scores_of(0), ElementsAre(kNoScore, kNoScore)) << other;
  }
}

TEST_F(InputFactsTest, scores_of_records_that_are_not_utf8_are_read) {
  add("{\"id\":\"a\",\"text\":\"caf\xe9\",\"q\":4}");
  EXPECT_THAT(facts_.scores_of(0), ElementsAre(4, kNoScore));
}

TEST_F(InputFactsTest, what_is_known_is_told) {
  EXPECT_TRUE(facts_.known().text_bytes);
  EXPECT_FALSE(facts_.known().url);
  EXPECT_THAT(facts_.known().scores, ElementsAre(false, false));
  add(R"({"id":"b","text":"t","url":"u","more":[7]})");
  facts_.finish();
  EXPECT_TRUE(facts_.known().url);
  EXPECT_THAT(facts_.known().scores, ElementsAre(false, true));
}

}  // namespace
}  // namespace neardup::TEST_FILE
