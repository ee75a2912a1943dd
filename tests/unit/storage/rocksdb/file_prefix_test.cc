#include "storage/rocksdb/file_prefix.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

TEST(GrowingFile, a_prefix_is_that_of_the_bytes_however_they_came) {
  const ScratchDirectory folder;
  const std::string path = folder.write("f", "");
  GrowingFile growing(path, 7);
  std::string bytes;
  for (const std::size_t more : {1, 0, 300'000, 5}) {
    bytes += std::string(more, static_cast<char>('a' + more % 7));
    folder.write("f", bytes);
    ASSERT_TRUE(growing.follow());
    GrowingFile at_once(path, 7);
    ASSERT_TRUE(at_once.follow());
    EXPECT_EQ(growing.prefix(), at_once.prefix());
    EXPECT_EQ(growing.prefix().bytes, bytes.size());
    EXPECT_EQ(difference_from(growing.prefix(), path), std::nullopt);
  }
  folder.write("f", bytes + "more");
  ASSERT_TRUE(growing.follow(bytes.size()));
  EXPECT_EQ(growing.prefix().bytes, bytes.size());  // the rest is of a write that may fail
  EXPECT_EQ(difference_from(growing.prefix(), path), std::nullopt);
}

TEST(GrowingFile, what_is_wrong_with_a_file_is_said) {
  const ScratchDirectory folder;
  const std::string path = folder.write("f", "0123456789");
  GrowingFile growing(path, 7);
  ASSERT_TRUE(growing.follow());
  folder.write("f", "012345678");
  EXPECT_EQ(difference_from(growing.prefix(), path), "has 9 bytes, and had 10");
  folder.write("f", "0123456788 and more");
  EXPECT_EQ(difference_from(growing.prefix(), path), "has other bytes than were written");
  std::filesystem::remove(path);
  EXPECT_EQ(difference_from(growing.prefix(), path), "is missing");
  EXPECT_FALSE(growing.follow());
}

}  // namespace
}  // namespace neardup::TEST_FILE
