
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "service/file/file_source.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class LaterLinesTest : public testing::Test {
 protected:
  FileSource source() const { return {{path_}, {}, FileSourceOptions{}}; }

  // Chunks of two records.
  static std::vector<std::string> all(LaterLines& lines) {
    std::vector<std::string> found;
    RawChunk chunk;
    while (lines.read(2, 1 << 20, chunk)) {
      for (const RawRecord& record : chunk.records) {
        found.push_back(std::to_string(record.source.place) + ":" + std::string(record.bytes));
      }
    }
    EXPECT_TRUE(chunk.records.empty());
    return found;
  }

 private:
  const ScratchDirectory folder_;
  const std::string path_ = folder_.write("input", "a\n\nb\nc\nd\n\n");
};

TEST_F(LaterLinesTest, BeginAtTheLine) {
  for (const std::uint64_t first : {0, 1}) {
    FileSource file = source();
    LaterLines lines(file, first);
    EXPECT_THAT(all(lines), ElementsAre("1:a", "3:b", "4:c", "5:d"));
    EXPECT_EQ(lines.skipped(), 0U);
  }
  for (const std::uint64_t first : {2, 3}) {
    FileSource file = source();
    LaterLines lines(file, first);
    EXPECT_THAT(all(lines), ElementsAre("3:b", "4:c", "5:d"));
    EXPECT_EQ(lines.skipped(), 1U);
  }
  FileSource file = source();
  LaterLines lines(file, 5);
  EXPECT_THAT(all(lines), ElementsAre("5:d"));
  EXPECT_EQ(lines.skipped(), 3U);
}

TEST_F(LaterLinesTest, MayHaveNothing) {
  FileSource file = source();
  LaterLines lines(file, 6);
  EXPECT_THAT(all(lines), IsEmpty());
  EXPECT_EQ(lines.skipped(), 4U);
}

TEST_F(LaterLinesTest, EndEarlyOnceInterrupted) {
  FileSource file = source();
  LaterLines lines(file, 0);
  RawChunk chunk;
  ASSERT_TRUE(lines.read(2, 1 << 20, chunk));
  lines.interrupt();
  EXPECT_FALSE(lines.read(2, 1 << 20, chunk));
  EXPECT_TRUE(chunk.records.empty());
}

}  // namespace
}  // namespace neardup::TEST_FILE
