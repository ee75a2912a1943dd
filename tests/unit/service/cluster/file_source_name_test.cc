#include "service/cluster/file_source_name.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "service/cluster/log_chunk.h"

namespace neardup::TEST_FILE {
namespace {

TEST(FileSourceName, IsTheLastPartOfThePathAndTheContent) {
  EXPECT_EQ(file_source_name("part-0.jsonl", 0), "file:part-0.jsonl#0000000000000000");
  EXPECT_EQ(file_source_name("/data/a b/part-0.jsonl.zst", 0xfedcba9876543210),
            "file:part-0.jsonl.zst#fedcba9876543210");
  EXPECT_EQ(file_source_name("there/part-0.jsonl", 1), file_source_name("here/part-0.jsonl", 1));
  EXPECT_NE(file_source_name("part-0.jsonl", 1), file_source_name("part-0.jsonl", 2));
}

TEST(FileSourceName, DifferentNamesStayDifferent) {
  EXPECT_EQ(file_source_name("a b%20\té", 0), "file:a%20b%2520%09%C3%A9#0000000000000000");
  EXPECT_EQ(file_source_name("\"#\\", 0), "file:\"#\\#0000000000000000");
}

TEST(FileSourceName, IsAlwaysASourceThatTheLogTakes) {
  for (const std::size_t size : {1, 226, 227, 228, 255}) {
    for (const char c : {'a', ' ', '\xff'}) {
      const std::string name = file_source_name("d/" + std::string(size, c) + ".gz", 7);
      EXPECT_LE(name.size(), kMostSourceNameBytes);
      EXPECT_TRUE(std::ranges::all_of(name, [](char one) { return one > ' ' && one <= '~'; }));
      EXPECT_TRUE(name.ends_with(".gz#0000000000000007")) << name;
      EXPECT_TRUE(is_file_source(name));
    }
  }
}

TEST(FileSourceName, NoTopicIsOne) {
  EXPECT_FALSE(is_file_source("file"));
  EXPECT_FALSE(is_file_source("file.part-0.jsonl"));
  EXPECT_FALSE(is_file_source("documents"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
