#include "storage/files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "pipeline/base/failure.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

std::ptrdiff_t entries(const ScratchDirectory& folder) {
  return std::distance(std::filesystem::directory_iterator(folder.path()), {});
}

TEST(ReplaceFile, the_file_has_the_new_bytes_and_nothing_else_is_left) {
  const ScratchDirectory folder;
  replace_file(folder.file("a"), "one");
  EXPECT_EQ(folder.read("a"), "one");
  replace_file(folder.file("a"), "two");
  EXPECT_EQ(folder.read("a"), "two");
  EXPECT_EQ(entries(folder), 1);
}

TEST(ReplaceFile, a_failure_leaves_what_was_there) {
  const ScratchDirectory folder;
  std::filesystem::create_directory(folder.file("a"));
  EXPECT_THROW(replace_file(folder.file("a"), "one"), Failure);
  EXPECT_THROW(replace_file(folder.file("none/a"), "one"), Failure);
  EXPECT_EQ(entries(folder), 1);
}

}  // namespace
}  // namespace neardup::TEST_FILE
