#include "config/suggest.h"

#include <gtest/gtest.h>

namespace neardup::TEST_FILE {
namespace {

TEST(Suggest, MisspeltKeysAreFound) {
  EXPECT_EQ(similar_key("treshold"), "threshold");
  EXPECT_EQ(similar_key("sketch.sise"), "sketch.size");
  EXPECT_EQ(similar_key("skecth.size"), "sketch.size");
  EXPECT_EQ(similar_key("sketch.fmaily"), "sketch.family");
  EXPECT_EQ(similar_key("verify.mod"), "verify.mode");
  EXPECT_EQ(similar_key("input.textfield"), "input.text_field");
}

TEST(Suggest, NamesOfOtherToolsAreFoundWhereverTheyStand) {
  EXPECT_EQ(similar_key("jaccard_threshold"), "threshold");
  EXPECT_EQ(similar_key("lsh.similarity"), "threshold");
  EXPECT_EQ(similar_key("num_perm"), "sketch.size");
  EXPECT_EQ(similar_key("sketch.num_hashes"), "sketch.size");
  EXPECT_EQ(similar_key("sketch.k"), "sketch.size");
  EXPECT_EQ(similar_key("ngram_size"), "shingle.size");
  EXPECT_EQ(similar_key("shingle.n_grams"), "shingle.size");
  EXPECT_EQ(similar_key("window_size"), "shingle.size");
  EXPECT_EQ(similar_key("char_ngrams"), "shingle.unit");
  for (const char* name : {"num_bands", "num_buckets", "b"})
    EXPECT_EQ(similar_key(name), "lsh.bands");
  for (const char* name : {"rows_per_band", "hashes_per_bucket", "band_size", "r"}) {
    EXPECT_EQ(similar_key(name), "lsh.rows");
  }
}

TEST(Suggest, TheRightNameInTheWrongSectionIsFound) {
  EXPECT_EQ(similar_key("bands"), "lsh.bands");
  EXPECT_EQ(similar_key("text.keep_texts"), "storage.keep_texts");
  EXPECT_EQ(similar_key("lsh.threshold"), "threshold");
}

TEST(Suggest, NothingIsSuggestedForWhatResemblesNothing) {
  for (const char* typed : {"", "x", "colour", "sketch.zzz", "service.banana"}) {
    EXPECT_EQ(similar_key(typed), "") << typed;
  }
  EXPECT_EQ(similar_key(std::string(1'000'000, 's')), "");
}

TEST(Quote, LongTextIsCutBetweenCharacters) {
  EXPECT_EQ(quote("abc"), "`abc`");
  EXPECT_EQ(quote(std::string(60, 'a')), "`" + std::string(60, 'a') + "`");
  EXPECT_EQ(quote(std::string(61, 'a')), "`" + std::string(60, 'a') + "…`");
  EXPECT_EQ(quote(std::string(59, 'a') + "éé"), "`" + std::string(59, 'a') + "…`");
}

TEST(Quote, ControlCharactersAndBackquotesAreSpelledOut) {
  EXPECT_EQ(quote(std::string("a\x1b[1m\0`\x7f", 8)), "`a\\x1b[1m\\x00\\x60\\x7f`");
}

}  // namespace
}  // namespace neardup::TEST_FILE
