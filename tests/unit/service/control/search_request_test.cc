#include "service/control/search_request.h"

#include <gmock/gmock.h>
#include <simdjson.h>

#include <string>
#include <vector>

#include "pipeline/base/failure.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(SearchRequestTest, WhatIsWrittenIsRead) {
  for (const AskedBy by : {AskedBy::kId, AskedBy::kText, AskedBy::kLines}) {
    const SearchRequest request{by, "a \"b\"\nc", "ns", EngineName::kEwh, 7, 123'456, true};
    const SearchRequest read = parse_request(request_json(request));
    EXPECT_EQ(read.by, by);
    EXPECT_EQ(read.what, request.what);
    EXPECT_EQ(read.name_space, "ns");
    EXPECT_EQ(read.engine, EngineName::kEwh);
    EXPECT_EQ(read.k, 7);
    EXPECT_EQ(read.min_similarity, 123'456);
    EXPECT_TRUE(read.table);
  }
}

TEST(SearchRequestTest, FieldsMayBeMissing) {
  const SearchRequest request = parse_request(R"({"id":"x"})");
  EXPECT_EQ(request.by, AskedBy::kId);
  EXPECT_EQ(request.what, "x");
  EXPECT_EQ(request.engine, EngineName::kAuto);
  EXPECT_EQ(request.k, SimilarOptions().k);
  EXPECT_EQ(request.min_similarity, SimilarOptions().min_similarity);
  EXPECT_FALSE(request.table);
}

TEST(SearchRequestTest, LinesAreAsManyAsTheirAnswersMayBe) {
  SearchRequest request;
  request.by = AskedBy::kLines;
  const auto taken = [&](std::size_t lines, std::uint32_t k) {
    request.k = k;
    request.what.clear();
    for (std::size_t i = 0; i < lines; ++i) request.what += "{}\n";
    try {
      return parse_request(request_json(request)).what == request.what;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kUsage);
      return false;
    }
  };
  EXPECT_TRUE(taken(1024, 10));
  EXPECT_FALSE(taken(1025, 10));
  EXPECT_TRUE(taken(100, 1000));
  EXPECT_FALSE(taken(101, 1000));
  EXPECT_TRUE(taken(10, 10'000));
}

TEST(SearchRequestTest, WrongValuesAreNamed) {
  const auto error_of = [](const char* body) -> std::string {
    try {
      parse_request(body);
    } catch (const Failure& failure) {
      return failure.what();
    } catch (const simdjson::simdjson_error&) {
      return "not understood";
    }
    return "none";
  };
  EXPECT_THAT(error_of("{}"), HasSubstr("id, text and queries"));
  EXPECT_THAT(error_of(R"({"id":"x","engine":"fast"})"), HasSubstr("fast"));
  EXPECT_THAT(error_of(R"({"id":"x","top":0})"), HasSubstr("1 to 10000"));
  EXPECT_THAT(error_of(R"({"id":"x","top":10001})"), HasSubstr("1 to 10000"));
  EXPECT_THAT(error_of(R"({"id":"x","min_similarity":1.5})"), HasSubstr("from 0 to 1"));
  EXPECT_EQ(error_of(R"({"id":"x","top":"many"})"), "not understood");
  EXPECT_EQ(error_of(R"({"id":7})"), "not understood");
  EXPECT_EQ(error_of("not json"), "not understood");
}

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
}  // namespace neardup::TEST_FILE
