#include "service/ingest/spool.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "pipeline/core/failure.h"
#include "tests/scratch_directory.h"

namespace neardup {
namespace {

class SpoolTest : public testing::Test {
 protected:
  static std::string read(const Spool& spool, std::uint64_t at, std::size_t bytes) {
    std::string text(bytes, '?');
    EXPECT_TRUE(spool.read(at, text));
    return text;
  }

  ScratchDirectory scratch_;
  Spool spool_{scratch_.path()};
};

TEST_F(SpoolTest, GivesBackWhatWasAppended) {
  std::string all;
  for (int i = 0; i < 50; ++i) {
    all += std::string(3'000, static_cast<char>('a' + i % 26)) + std::to_string(i);
    spool_.append(std::string_view(all).substr(spool_.size()));
    ASSERT_EQ(spool_.size(), all.size());
    ASSERT_EQ(read(spool_, 0, all.size()), all);
  }
  for (std::uint64_t at = 0; at < all.size(); at += 7'001) {
    const std::size_t bytes = std::min<std::size_t>(10'000, all.size() - at);
    EXPECT_EQ(read(spool_, at, bytes), all.substr(at, bytes)) << at;
  }
  EXPECT_EQ(read(spool_, all.size(), 0), "");
}

TEST_F(SpoolTest, LeavesNoFile) {
  spool_.append(std::string(1 << 20, 'x'));
  EXPECT_TRUE(std::filesystem::is_empty(scratch_.path()));
}

TEST_F(SpoolTest, IsInMemoryWhileItIsSmall) {
  Spool nowhere("/nowhere");
  nowhere.append(std::string(1'000, 'x'));
  EXPECT_EQ(read(nowhere, 0, 1'000), std::string(1'000, 'x'));
  EXPECT_THROW(nowhere.append(std::string(1 << 20, 'x')), Failure);
}

}  // namespace
}  // namespace neardup
