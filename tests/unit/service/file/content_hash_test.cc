#include "service/file/content_hash.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <string>

#include "pipeline/base/failure.h"
#include "service/file/raw_input.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

const std::atomic<bool> kNever{false};

Exit exit_of(const std::string& path) {
  try {
    content_hash(path, kNever);
  } catch (const Failure& failure) {
    return failure.exit();
  }
  ADD_FAILURE() << path;
  return Exit::kInternal;
}

TEST(ContentHash, IsThatOfAllBytes) {
  const ScratchDirectory folder;
  for (const std::size_t size : {0, 1, 4095, 4096, 4097, 1 << 20, (3 << 20) + 5}) {
    std::string bytes(size, 'x');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * i >> 8);
    EXPECT_EQ(content_hash(folder.write("file", bytes), kNever),
              XXH3_64bits(bytes.data(), bytes.size()))
        << size;
  }
}

TEST(ContentHash, WhatCannotBeReadAgainIsRefused) {
  const ScratchDirectory folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, std::string("-"), std::string("/dev/null")})
    EXPECT_EQ(exit_of(path), Exit::kUsage) << path;
  EXPECT_THROW(require_file(pipe), Failure);
  EXPECT_EQ(exit_of(folder.path()), Exit::kUnreadable);
  EXPECT_EQ(exit_of(folder.file("missing")), Exit::kUnreadable);
}

TEST(ContentHash, CanBeStopped) {
  const ScratchDirectory folder;
  const std::atomic<bool> stop{true};
  EXPECT_THROW(content_hash(folder.write("file", "x"), stop), ReadStopped);
}

}  // namespace
}  // namespace neardup::TEST_FILE
