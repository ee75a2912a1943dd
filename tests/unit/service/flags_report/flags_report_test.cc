#include "service/flags_report/flags_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <memory>

#include "pipeline/base/failure.h"
#include "service/file/file_source.h"
#include "tests/scratch_directory.h"
#include "tests/unit/service/flags_report/flag_support.h"

namespace neardup::TEST_FILE {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Reporting : public testing::Test {
 protected:
  Reporting() {
    rule_.text.min_tokens = 1;
    flags_.rule = rule_fingerprint(rule_text(rule_));
    flags_.source = folder_.file("docs.jsonl");
  }

  FlagsReader reader() { return {{folder_.write("flags.jsonl", flags_.text)}, stop_}; }

  FlagsReport report(bool compares) {
    FlagsReport report(rule_, compares);
    FlagsReader flags = reader();
    for (FlagLine flag; flags.next(flag);) report.add(flag, flags);
    return report;
  }

  std::string refusal(bool compares) {
    try {
      report(compares);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kUnreadable);
      return failure.what();
    }
    ADD_FAILURE() << "not refused";
    return "";
  }

  // The texts of the pairs of flags_, from these inputs.
  std::unique_ptr<PairTexts> texts_of(const std::vector<SampledPair>& pairs,
                                      const std::vector<std::string>& inputs) {
    auto texts = std::make_unique<PairTexts>(pairs, inputs, Config());
    FlagsReader flags = reader();
    for (FlagLine flag; flags.next(flag) && texts->add_flag(flag, flags);) {
    }
    FileSource source(inputs, {}, {});
    RawChunk chunk;
    while (source.read(2, 1000, chunk)) {
      for (const RawRecord& record : chunk.records) texts->add_record(record);
    }
    return texts;
  }

  // Of the only pair of flags_.
  std::string only_pair(const std::vector<std::string>& inputs) {
    const auto pairs = report(true).pairs();
    EXPECT_EQ(pairs.size(), 1);
    const auto texts = texts_of(pairs, inputs);
    notes_ = texts->notes();
    return pair_json(pairs.front(), *texts, rule_, SimdLevel::kAuto);
  }

  ScratchDirectory folder_;
  const std::atomic<bool> stop_{false};
  Rule rule_;
  FlagLines flags_;
  std::vector<std::string> notes_;
};

TEST_F(Reporting, a_report_has_all_parts) {
  flags_.add(Status::kUnique, "a").copy("b", 1, "a", 812'000).copy("c", 1, "a", kOne);
  flags_.add(Status::kRejected, "r");
  const std::string json =
      report(false).json({"flags.jsonl", "2026-01-02T03:04:05Z", "1.2.3"}, {"{}"}, {"One note."});
  simdjson::dom::parser parser;
  const simdjson::dom::element root = parser.parse(simdjson::padded_string(json));
  EXPECT_EQ(std::string_view(root["kind"]), "report");
  EXPECT_EQ(std::string_view(root["made"]), "2026-01-02T03:04:05Z");
  EXPECT_EQ(std::string_view(root["rule"]), flags_.rule);
  EXPECT_THAT(json, HasSubstr(R"("threshold":0.8,"counts":{"unique":1,"near_duplicate":1,)"));
  EXPECT_THAT(json, HasSubstr(R"("similarity":[{"low":0.80,"high":0.82,"count":1},)"));
  EXPECT_THAT(json, HasSubstr(R"({"low":0.98,"high":1.00,"count":0}],"inputs":[{"name":)"));
  EXPECT_THAT(json, HasSubstr(R"("groups":[{"group":"a","seq":1,"copies":2,"sample":[{"id":"b",)"));
  EXPECT_THAT(json, HasSubstr(R"("pairs":[{}],"notes":["One note."]})"));
}

TEST_F(Reporting, no_flags_are_a_report_of_the_settings) {
  const std::string json = report(false).json({}, {}, {});
  EXPECT_THAT(json, HasSubstr(R"("rule":")" + flags_.rule + R"(","threshold":0.8,)"));
  EXPECT_THAT(json, HasSubstr(R"("inputs":[],"groups":[],"pairs":[],"notes":[]})"));
}

TEST_F(Reporting, the_histogram_begins_at_the_least_similarity_below_the_threshold) {
  flags_.add(Status::kUnique, "a").copy("b", 1, "a", 512'000);
  EXPECT_THAT(report(false).json({}, {}, {}),
              HasSubstr(R"("similarity":[{"low":0.50,"high":0.52,"count":1},{"low":0.52,)"));
}

TEST_F(Reporting, flags_of_another_rule_than_the_settings_are_refused_where_texts_are_compared) {
  const std::string own = flags_.rule;
  flags_.add(Status::kUnique, "a");
  flags_.rule = "5f0c000000000001";
  flags_.add(Status::kUnique, "b");
  EXPECT_THAT(refusal(true), AllOf(HasSubstr("flags.jsonl, line 2"), HasSubstr("5f0c000000000001"),
                                   HasSubstr(own), HasSubstr("by -c and --set")));
}

TEST_F(Reporting, without_inputs_all_flags_must_have_one_rule) {
  flags_.rule = "5f0c000000000001";
  flags_.add(Status::kUnique, "a");
  EXPECT_THAT(report(false).json({}, {}, {}), HasSubstr(R"("rule":"5f0c000000000001")"));
  flags_.rule = "5f0c000000000002";
  flags_.add(Status::kUnique, "b");
  EXPECT_THAT(refusal(false), AllOf(HasSubstr("line 2"), HasSubstr("5f0c000000000001"),
                                    HasSubstr("5f0c000000000002"), HasSubstr("of one rule")));
}

TEST_F(Reporting, a_pair_is_compared_from_the_texts_of_the_input) {
  const std::string docs =
      folder_.write("docs.jsonl",
                    "\n{\"id\":\"a\",\"text\":\"one two three four five six\"}\n"
                    "{\"id\":\"x\",\"text\":\"x\"}\n"
                    "{\"id\":\"b\",\"text\":\"One two three four five six, 7\"}\n");
  flags_.add(Status::kUnique, "a", 2).add(Status::kUnique, "x", 3).copy("b", 1, "a", 812'000, 4);
  const std::string pair = only_pair({docs});
  EXPECT_THAT(pair, HasSubstr(R"({"near":true,"flag":{"id":"b","seq":3,)"));
  EXPECT_THAT(pair, HasSubstr(R"("a":{"name":"b","tokens":7,"text":true,"flagged":{)"));
  EXPECT_THAT(pair, HasSubstr(R"("content":"One two three four five six, 7")"));
  EXPECT_THAT(pair, HasSubstr(R"("content":"one two three four five six")"));
  EXPECT_THAT(pair, HasSubstr(R"("reaches_threshold":false)"));
  EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(Reporting, why_there_is_no_text_is_said) {
  const std::string docs = folder_.write("docs.jsonl",
                                         "{\"id\":\"b\",\"text\":\"one two three four\"}\n"
                                         "{\"id\":\"other\",\"text\":\"one\"}\n"
                                         "{\"id\":\"long\",\"text\":\"" +
                                             std::string(PairTexts::kLongestText + 1, 'x') +
                                             "\"}\n{\"id\":\"bad\",\"text\":5}\n");
  const auto why = [&](const std::string& original, std::uint64_t line) {
    FlagLines lines;
    lines.rule = flags_.rule;
    lines.source = flags_.source;
    flags_.text =
        lines.add(Status::kUnique, original, line).copy("b", 1, original, 812'000, 1).text;
    return only_pair({docs});
  };
  EXPECT_THAT(why("a", 2), HasSubstr(R"("why_no_text":"a: another record is at its place)"));
  EXPECT_THAT(why("long", 3), HasSubstr(R"("why_no_text":"long: its text has more than 512 KiB")"));
  EXPECT_THAT(why("bad", 4), HasSubstr("another record is at its place"));
  EXPECT_THAT(why("a", 9), HasSubstr("docs.jsonl has no record in line 9"));
}

TEST_F(Reporting, inputs_that_were_not_given_are_noted) {
  flags_.add(Status::kUnique, "a").copy("b", 1, "a", 812'000);
  const std::string pair = only_pair({folder_.write("other.jsonl", "{}\n")});
  EXPECT_THAT(pair, HasSubstr(R"("comparison":null,"why_no_text":"b: it came from )"));
  EXPECT_THAT(pair, HasSubstr("; a: it came from "));
  EXPECT_THAT(notes_, ElementsAre(AllOf(HasSubstr("not given"), HasSubstr(flags_.source))));
}

TEST_F(Reporting, the_flag_of_an_original_may_be_missing) {
  flags_.add(Status::kUnique, "z").copy("b", 1, "a", 812'000, 1);
  const std::string docs =
      folder_.write("docs.jsonl", "{\"id\":\"b\",\"text\":\"one two three\"}\n");
  EXPECT_THAT(only_pair({docs}), HasSubstr(R"("why_no_text":"a: the flags have no source of it")"));
}

TEST_F(Reporting, documents_that_came_over_http_have_no_texts) {
  flags_.source = "";
  flags_.add(Status::kUnique, "a").copy("b", 1, "a", 812'000);
  EXPECT_THAT(only_pair({folder_.write("docs.jsonl", "{}\n")}),
              HasSubstr("it did not come from a file"));
}

TEST_F(Reporting, without_inputs_a_pair_says_so) {
  flags_.add(Status::kUnique, "a").copy("b", 1, "a", 812'000);
  EXPECT_THAT(pair_without_texts_json(report(false).pairs().front()),
              HasSubstr(R"("comparison":null,"why_no_text":"no inputs were given"})"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
