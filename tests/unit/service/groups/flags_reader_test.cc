#include "service/groups/flags_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "pipeline/base/failure.h"
#include "service/file/file_delivery.h"
#include "service/records/flag_writer.h"
#include "tests/unit/service/file/support.h"

namespace neardup::TEST_FILE {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class Reading : public testing::Test {
 protected:
  // What is read of a file, a text for each flag.
  std::vector<std::string> read(const std::vector<std::string>& paths) {
    FlagsReader reader(paths, stop_);
    std::vector<std::string> all;
    for (FlagLine flag; reader.next(flag);) {
      all.push_back(fmt::format("{} {}/{} {} of {} {} {} bytes", flag.seq, flag.name_space, flag.id,
                                name(flag.status), flag.original, flag.original_id,
                                flag.facts.text_bytes));
    }
    return all;
  }

  std::string refusal(std::string_view bytes) {
    try {
      read({folder_.write("flags.jsonl", bytes)});
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kUnreadable);
      return failure.what();
    }
    ADD_FAILURE() << "read: " << bytes;
    return "";
  }

  ScratchDirectory folder_;
  const std::atomic<bool> stop_{false};
};

std::string written(const std::vector<Flag>& flags) {
  std::string lines;
  for (const Flag& flag : flags) {
    FlagWriter("5f0c000000000001", 800'000, file_sources({"a"})).append(flag, lines);
  }
  return lines;
}

Flag flag_of(Seq seq, Status status, std::string id = "i") {
  Flag flag;
  flag.seq = seq;
  flag.status = status;
  flag.id = std::move(id);
  return flag;
}

std::vector<Flag> flags_of_all_statuses() {
  std::vector<Flag> flags;
  for (std::size_t i = 0; i < kStatuses; ++i) flags.push_back(flag_of(i + 1, Status(i)));
  flags[0].has_id = false;
  flags[0].reason = RejectReason::kMissingId;
  for (const std::size_t copy : {4, 6}) flags[copy].original = Original{.id = "\"ö", .seq = 2};
  return flags;
}

TEST_F(Reading, every_flag_is_read) {
  const std::string path = folder_.write("flags.jsonl", written(flags_of_all_statuses()));
  EXPECT_THAT(read({path}),
              ElementsAre("1 / rejected of 0  0 bytes", "2 /i deleted of 0  0 bytes",
                          "3 /i unchanged of 0  0 bytes", "4 /i empty of 0  0 bytes",
                          "5 /i exact_duplicate of 2 \"ö 0 bytes", "6 /i too_short of 0  0 bytes",
                          "7 /i near_duplicate of 2 \"ö 0 bytes", "8 /i unique of 0  0 bytes"));
}

TEST_F(Reading, evidence_is_what_the_flag_says) {
  Flag flag = flag_of(7, Status::kNearDuplicate);
  flag.original = Original{.id = "o", .seq = 2, .similarity = 912'999};
  flag.source = {0, 12};
  const std::string line = written({flag_of(3, Status::kUnique), flag});
  FlagsReader reader({folder_.write("flags.jsonl", line)}, stop_);
  FlagLine read;
  ASSERT_TRUE(reader.next(read) && reader.next(read));
  const FlagEvidence found = reader.evidence();
  EXPECT_EQ(std::string(found.line) + "\n", line.substr(line.find('\n') + 1));
  EXPECT_EQ(found.rule, "5f0c000000000001");
  EXPECT_EQ(found.threshold, 800'000);
  EXPECT_EQ(found.similarity, 912'000);
  EXPECT_EQ(found.source, "a");
  EXPECT_EQ(found.source_line, 12);
  EXPECT_THAT(reader.place(), testing::EndsWith("flags.jsonl, line 2"));
}

// What is read of the source of a flag.
std::string source_of(std::string_view source, ScratchDirectory& folder) {
  static const std::atomic<bool> stop{false};
  const std::string line =
      R"({"id":"i","seq":1,"status":"unique","threshold":1,"rule":"r","source":)";
  FlagsReader reader({folder.write("flags.jsonl", line + std::string(source) + "}\n")}, stop);
  FlagLine flag;
  EXPECT_TRUE(reader.next(flag));
  const FlagEvidence found = reader.evidence();
  return fmt::format("{}:{}", found.source, found.source_line);
}

TEST_F(Reading, a_source_is_a_file_a_topic_or_a_body) {
  EXPECT_EQ(source_of(R"({"file":"a b","line":3})", folder_), "a b:3");
  EXPECT_EQ(source_of(R"({"topic":"t","partition":0,"offset":41})", folder_), "t:0");
  EXPECT_EQ(source_of(R"({"line":5})", folder_), ":5");
  for (const char* wrong : {"{}", "7", R"({"file":"a"})", R"({"file":"a","line":"1"})"}) {
    EXPECT_THROW(source_of(wrong, folder_), Failure) << wrong;
  }
}

TEST_F(Reading, a_flag_without_evidence_is_named_when_it_is_asked_for) {
  const std::string start = R"({"id":"i","seq":2,"status":"exact_duplicate","duplicate_of":"o",)"
                            R"("duplicate_of_seq":1)";
  for (const auto& [rest, said] : std::map<std::string, std::string>{
           {R"(})", "it has no rule"},
           {R"(,"rule":"r"})", "it has no threshold"},
           {R"(,"rule":"r","threshold":0.8})", "it has no similarity"},
           {R"(,"rule":"r","threshold":0.8,"similarity":1.5})", "it has no similarity"},
           {R"(,"rule":"r","threshold":0.8,"similarity":1.000})", "it has no source"}}) {
    FlagsReader reader({folder_.write("flags.jsonl", start + rest)}, stop_);
    FlagLine flag;
    ASSERT_TRUE(reader.next(flag));
    try {
      reader.evidence();
      ADD_FAILURE() << "taken: " << rest;
    } catch (const Failure& failure) {
      EXPECT_THAT(failure.what(), AllOf(HasSubstr("flags.jsonl, line 1"), HasSubstr(said)));
    }
  }
}

TEST_F(Reading, namespace_length_and_address_are_read) {
  Flag flag = flag_of(1, Status::kUnique);
  flag.name_space = "news";
  flag.text_bytes = 1234;
  flag.url = "https://x/";
  const std::string path = folder_.write("flags.jsonl", written({flag}));
  EXPECT_THAT(read({path}), ElementsAre("1 news/i unique of 0  1234 bytes"));
  FlagsReader reader({path}, stop_);
  FlagLine line;
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line.facts, facts_of("https://x/", 1234));
  EXPECT_EQ(reader.counts().documents(), 1);
}

TEST_F(Reading, files_follow_each_other_packed_or_not) {
  const std::string one = written({flag_of(1, Status::kUnique, "a")});
  const std::string two = written({flag_of(2, Status::kUnique, "b")});
  const std::string three = written({flag_of(3, Status::kUnique, "c")});
  EXPECT_THAT(read({folder_.write("1", one), folder_.write("2.gz", gzip(two)),
                    folder_.write("3.zst", zstd(three))}),
              ElementsAre("1 /a unique of 0  0 bytes", "2 /b unique of 0  0 bytes",
                          "3 /c unique of 0  0 bytes"));
}

TEST_F(Reading, a_line_that_is_no_flag_is_named) {
  const std::string good = written({flag_of(1, Status::kUnique)});
  EXPECT_THAT(refusal(good + "\n{}\n"),
              AllOf(HasSubstr("flags.jsonl, line 3"), HasSubstr("it has no status")));
  EXPECT_THAT(refusal(good + good.substr(0, good.size() / 2)),
              AllOf(HasSubstr("line 2"), HasSubstr("not a JSON object"),
                    HasSubstr("the same command completes it")));
  for (
      const char* line :
      {"[]", "7", R"({"id":"a","text":"a record"})", R"({"id":"a","seq":1,"status":"new"})",
       R"({"id":"a","as_of_seq":1,"status":"unique"})", R"({"id":"a","seq":0,"status":"unique"})",
       R"({"id":7,"seq":1,"status":"unique"})",
       R"({"id":"a","seq":1099511627776,"status":"unique"})",
       R"({"id":"a","seq":2,"status":"exact_duplicate"})",
       R"({"id":"a","seq":2,"status":"exact_duplicate","duplicate_of":"b","duplicate_of_seq":2})"}) {
    EXPECT_THAT(refusal(line), HasSubstr("line 1: not a flag of neardup")) << line;
  }
  EXPECT_THAT(refusal(std::string(2'000'000, ' ') + "x"), HasSubstr("line 1"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
