#include "service/groups/flags_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/core/failure.h"
#include "service/file/file_delivery.h"
#include "service/records/flag_writer.h"
#include "tests/unit/service/file/support.h"

namespace neardup {
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
      all.push_back(fmt::format("{} {}/{} of {} {} {} bytes{}", flag.seq, flag.name_space, flag.id,
                                flag.original, flag.original_id, flag.facts.text_bytes,
                                flag.deleted ? " deleted" : ""));
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

TEST_F(Reading, every_flag_that_changes_documents_is_read) {
  const std::string path = folder_.write("flags.jsonl", written(flags_of_all_statuses()));
  EXPECT_THAT(read({path}), ElementsAre("2 /i of 0  0 bytes deleted", "4 /i of 0  0 bytes",
                                        "5 /i of 2 \"ö 0 bytes", "6 /i of 0  0 bytes",
                                        "7 /i of 2 \"ö 0 bytes", "8 /i of 0  0 bytes"));
}

TEST_F(Reading, namespace_length_and_address_are_read) {
  Flag flag = flag_of(1, Status::kUnique);
  flag.name_space = "news";
  flag.text_bytes = 1234;
  flag.url = "https://x/";
  const std::string path = folder_.write("flags.jsonl", written({flag}));
  EXPECT_THAT(read({path}), ElementsAre("1 news/i of 0  1234 bytes"));
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
              ElementsAre("1 /a of 0  0 bytes", "2 /b of 0  0 bytes", "3 /c of 0  0 bytes"));
}

TEST_F(Reading, a_line_that_is_no_flag_is_named) {
  const std::string good = written({flag_of(1, Status::kUnique)});
  EXPECT_THAT(refusal(good + "\n{}\n"),
              AllOf(HasSubstr("flags.jsonl, line 3"), HasSubstr("it has no status")));
  EXPECT_THAT(refusal(good + good.substr(0, good.size() / 2)),
              AllOf(HasSubstr("line 2"), HasSubstr("no JSON object"),
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
}  // namespace neardup
