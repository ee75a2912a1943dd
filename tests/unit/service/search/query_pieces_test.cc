#include "service/search/query_pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace neardup {
namespace {

using testing::ElementsAre;

std::vector<std::string> pieces(std::string_view lines, const PieceLimits& limits) {
  std::vector<std::string> all;
  for (auto piece = take_lines(lines, limits); !piece.empty(); piece = take_lines(lines, limits))
    all.emplace_back(piece);
  EXPECT_EQ(lines, "");
  return all;
}

TEST(QueryPieces, HaveSoManyLines) {
  EXPECT_THAT(pieces("a\nb\nc", {.lines = 2}), ElementsAre("a\nb\n", "c"));
  EXPECT_THAT(pieces("a\n", {.lines = 2}), ElementsAre("a\n"));
  EXPECT_THAT(pieces("", {}), ElementsAre());
}

TEST(QueryPieces, EndWhereTheyHaveEnoughBytesButDivideNoLine) {
  EXPECT_THAT(pieces("aaa\nbb\nc\n", {.lines = 9, .bytes = 5}), ElementsAre("aaa\nbb\n", "c\n"));
}

TEST(QueryPieces, DoNotBeginWithBlankLines) {
  EXPECT_THAT(pieces("\n\na\n\n\nb\n\n", {.lines = 1}), ElementsAre("a\n", "b\n"));
  EXPECT_THAT(pieces("\n\n", {}), ElementsAre());
}

TEST(QueryPieces, HaveFewLinesWhereAnswersAreLong) {
  EXPECT_EQ(pieces_of(10'000, 1).lines, 1024);
  EXPECT_EQ(pieces_of(10'000, 100).lines, 100);
  EXPECT_EQ(pieces_of(10'000, 20'000).lines, 1);
}

}  // namespace
}  // namespace neardup
