#include "service/records/flag_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pipeline/base/json_object.h"
#include "service/file/file_delivery.h"
#include "simdjson.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;

FlagWriter writer(Ppm threshold = 800'000) {
  return {"5f0c000000000001", threshold, file_sources({"-", "dir/a \"b\".jsonl"})};
}

std::string written(const Flag& flag) {
  std::string out;
  writer().append(flag, out);
  return out;
}

Flag flag_of(Status status) {
  Flag flag;
  flag.seq = 17;
  flag.status = status;
  flag.id = "i";
  flag.source = {.input = 1, .place = 12};
  return flag;
}

Original original_of(VerifiedBy verified_by) {
  return {.id = "o",
          .seq = 9,
          .verified_by = verified_by,
          .similarity = 934'999,
          .low = 901'000,
          .high = 1'000'000,
          .bands_hit = 7};
}

// Names of the members, in order, as an independent parser sees them.
std::vector<std::string> names(const std::string& line) {
  simdjson::dom::parser parser;
  std::vector<std::string> found;
  for (const auto member : simdjson::dom::object(parser.parse(line)))
    found.emplace_back(member.key);
  return found;
}

TEST(FlagWriter, a_near_duplicate_has_the_form_of_the_contract) {
  Flag flag = flag_of(Status::kNearDuplicate);
  flag.name_space = "n";
  flag.original = original_of(VerifiedBy::kSketch);
  flag.previous = Previous{.seq = 3, .similarity = 5'000};
  EXPECT_EQ(
      written(flag),
      R"({"id":"i","namespace":"n","seq":17,"status":"near_duplicate","duplicate_of":"o",)"
      R"("duplicate_of_seq":9,"similarity":0.934,"similarity_low":0.901,"similarity_high":1.000,)"
      R"("verified_by":"sketch","bands_hit":7,"previous":{"seq":3,"similarity":0.005},)"
      R"("threshold":0.8,"rule":"5f0c000000000001",)"
      R"("source":{"file":"dir/a \"b\".jsonl","line":12}})"
      "\n");
}

TEST(FlagWriter, every_status_has_its_fields_in_order) {
  for (const Status status :
       {Status::kUnchanged, Status::kEmpty, Status::kTooShort, Status::kUnique}) {
    EXPECT_THAT(names(written(flag_of(status))),
                ElementsAre("id", "seq", "status", "threshold", "rule", "source"));
  }
  Flag deleted = flag_of(Status::kDeleted);
  EXPECT_THAT(names(written(deleted)),
              ElementsAre("id", "seq", "status", "threshold", "rule", "source"));
  deleted.known = false;
  EXPECT_THAT(names(written(deleted)),
              ElementsAre("id", "seq", "status", "known", "threshold", "rule", "source"));
  Flag rejected = flag_of(Status::kRejected);
  rejected.reason = RejectReason::kInvalidJson;
  EXPECT_THAT(names(written(rejected)), ElementsAre("id", "seq", "status", "reason", "detail",
                                                    "threshold", "rule", "source"));
  Flag exact = flag_of(Status::kExactDuplicate);
  exact.original = original_of(VerifiedBy::kContent);
  EXPECT_THAT(names(written(exact)),
              ElementsAre("id", "seq", "status", "duplicate_of", "duplicate_of_seq", "similarity",
                          "similarity_low", "similarity_high", "verified_by", "threshold", "rule",
                          "source"));
  Flag changed = flag_of(Status::kUnique);
  changed.previous = Previous{.seq = 4, .similarity = {}};
  EXPECT_THAT(names(written(changed)),
              ElementsAre("id", "seq", "status", "previous", "threshold", "rule", "source"));
}

TEST(FlagWriter, a_url_stands_after_the_namespace) {
  Flag flag = flag_of(Status::kUnique);
  flag.url = "http://x/\"";
  EXPECT_THAT(names(written(flag)),
              ElementsAre("id", "url", "seq", "status", "threshold", "rule", "source"));
  flag.name_space = "n";
  EXPECT_THAT(written(flag),
              testing::StartsWith(R"({"id":"i","namespace":"n","url":"http://x/\"","seq":17,)"));
}

TEST(FlagWriter, the_length_of_the_text_stands_after_the_url) {
  Flag flag = flag_of(Status::kUnique);
  flag.text_bytes = 1'234;
  EXPECT_THAT(written(flag), testing::StartsWith(R"({"id":"i","text_bytes":1234,"seq":17,)"));
  flag.url = "u";
  EXPECT_THAT(written(flag),
              testing::StartsWith(R"({"id":"i","url":"u","text_bytes":1234,"seq":17,)"));
}

TEST(FlagWriter, a_record_without_an_id_says_null) {
  Flag flag = flag_of(Status::kRejected);
  flag.has_id = false;
  flag.id.clear();
  flag.reason = RejectReason::kMissingId;
  flag.detail = "say \"id\"";
  EXPECT_THAT(written(flag),
              testing::StartsWith(R"({"id":null,"seq":17,"status":"rejected",)"
                                  R"("reason":"missing_id","detail":"say \"id\"",)"));
}

TEST(FlagWriter, a_verdict_names_the_original_only_of_a_copy) {
  Flag flag = flag_of(Status::kUnchanged);
  flag.verdict = Verdict{.seq = 3};
  EXPECT_THAT(written(flag), testing::StartsWith(R"({"id":"i","seq":17,"status":"unchanged",)"
                                                 R"("verdict":{"seq":3,"kept":true},"threshold")"));
  flag.verdict =
      Verdict{.seq = 3, .kept = false, .original = 1, .original_id = "o\"", .similarity = 934'999};
  EXPECT_THAT(written(flag), testing::HasSubstr(R"("verdict":{"seq":3,"kept":false,)"
                                                R"("duplicate_of":"o\"","duplicate_of_seq":1,)"
                                                R"("similarity":0.934},)"));
  flag.verdict->original_id.reset();
  EXPECT_THAT(written(flag),
              testing::HasSubstr(R"("kept":false,"duplicate_of_seq":1,"similarity":0.934},)"));
}

TEST(FlagWriter, only_quotes_backslashes_and_controls_are_escaped) {
  std::string out;
  append_json_string(std::string("ä€😀/\x7f\"\\\n\t\x01\0 <&", 20), out);
  EXPECT_EQ(out, "\"ä€😀/\x7f\\\"\\\\\\n\\t\\u0001\\u0000 <&\"");
}

TEST(FlagWriter, thresholds_are_printed_as_short_as_they_are) {
  const auto threshold = [](Ppm ppm) {
    std::string out;
    writer(ppm).append(flag_of(Status::kUnique), out);
    const std::size_t at = out.find("\"threshold\":") + 12;
    return out.substr(at, out.find(',', at) - at);
  };
  EXPECT_EQ(threshold(800'000), "0.8");
  EXPECT_EQ(threshold(850'000), "0.85");
  EXPECT_EQ(threshold(1'000'000), "1");
  EXPECT_EQ(threshold(1), "0.000001");
  EXPECT_EQ(threshold(50'000), "0.05");
}

TEST(FlagWriter, a_file_name_that_is_not_utf8_still_gives_valid_json) {
  const FlagWriter odd("5f0c000000000001", 800'000, file_sources({"a\xff"}));
  std::string out;
  Flag flag = flag_of(Status::kUnique);
  flag.source.input = 0;
  odd.append(flag, out);
  EXPECT_THAT(out, testing::HasSubstr("\"a\xef\xbf\xbd\""));
}

}  // namespace
}  // namespace neardup::TEST_FILE
