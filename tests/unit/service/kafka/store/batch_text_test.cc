#include "service/kafka/store/batch_text.h"

#include <gtest/gtest.h>

#include <set>

#include "service/log/log.h"
#include "tests/unit/service/kafka/flag_support.h"

namespace neardup::TEST_FILE {
namespace {

const CommitMetadata kMark{"4f0c21aa-1111-4222-8333-944455556666", 17,
                           "00112233445566778899aabbccddeeff", 50213};

// printf 'neardup batch 4f0c21aa-1111-4222-8333-944455556666 17' | xxh128sum
TEST(BatchTraceId, IsThatOfItsStateAndNumber) {
  EXPECT_EQ(batch_trace_id(kMark), "7f6f572a5fce20bfd2221d603e28f536");
}

TEST(BatchTraceId, DependsOnNothingElse) {
  CommitMetadata mark = kMark;
  mark.chain = std::string(32, '0');
  mark.next_seq = 1;
  EXPECT_EQ(batch_trace_id(mark), batch_trace_id(kMark));
}

TEST(BatchTraceId, IsAnotherForEachBatchAndState) {
  std::set<std::string> ids;
  CommitMetadata mark = kMark;
  for (const char* state : {"a", "b"}) {
    mark.state = state;
    for (mark.batch = 0; mark.batch < 500; ++mark.batch) ids.insert(batch_trace_id(mark));
  }
  EXPECT_EQ(ids.size(), 1000u);
}

std::string line_within(const StoredBatch& batch) {
  std::string lines;
  Log log(
      {LogFormat::kText, LogLevel::kInfo}, [&](std::string_view line) { lines = line; },
      [] { return std::chrono::system_clock::time_point(); });
  const BatchScope scope(batch);
  log.info("event");
  return lines.substr(lines.find("event"));
}

TEST(BatchScope, NamesTheBatchInLogLines) {
  StoredBatch batch;
  batch.after = kMark;
  batch.flags = {test_flag(50210), test_flag(50211), test_flag(50212)};
  EXPECT_EQ(line_within(batch), "event batch=17 first_seq=50210 next_seq=50213 trace_id=" +
                                    batch_trace_id(kMark) + "\n");
}

TEST(BatchScope, ABatchWithoutFlagsHasNoArrivals) {
  StoredBatch batch;
  batch.after = kMark;
  EXPECT_NE(line_within(batch).find("first_seq=50213 next_seq=50213"), std::string::npos);
}

}  // namespace
}  // namespace neardup::TEST_FILE
