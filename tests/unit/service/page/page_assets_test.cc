#include "service/page/page_assets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace neardup {
namespace {

constexpr std::size_t kMostBytes = 100'000;  // gzipped, in all

std::vector<PageFile> all_files() {
  std::vector<PageFile> files{page_document(), page_style()};
  for (const PageFile& file : page_scripts()) files.push_back(file);
  return files;
}

// The first group of each match, in the order of the text.
std::vector<std::string> found(std::string_view text, const char* pattern) {
  const std::regex regex(pattern, std::regex::multiline);
  std::vector<std::string> matches;
  const std::cregex_iterator begin(text.data(), text.data() + text.size(), regex);
  for (auto match = begin; match != std::cregex_iterator(); ++match) matches.push_back((*match)[1]);
  return matches;
}

TEST(PageAssets, AreSmall) {
  std::size_t bytes = 0;
  for (const PageFile& file : all_files()) {
    EXPECT_GT(file.bytes.size(), file.gzip.size()) << file.name;
    EXPECT_TRUE(file.gzip.starts_with("\x1f\x8b")) << file.name;
    bytes += file.gzip.size();
  }
  EXPECT_LT(bytes, kMostBytes);
}

TEST(PageAssets, NameNoOtherHost) {
  for (const PageFile& file : all_files()) {
    EXPECT_THAT(found(file.bytes, "(https?://[^ \"'`]*)"),
                ::testing::Each("http://www.w3.org/2000/svg"))
        << file.name;
  }
}

TEST(PageAssets, NeverMakeElementsOfText) {
  for (const PageFile& file : all_files()) {
    EXPECT_THAT(
        found(file.bytes, "(innerHTML|outerHTML|insertAdjacentHTML|document\\.write|eval\\()"),
        ::testing::IsEmpty())
        << file.name;
  }
}

TEST(PageScripts, ImportOnlyFromThoseBeforeThem) {
  std::set<std::string, std::less<>> before;
  for (const PageFile& file : page_scripts()) {
    for (const std::string& from : found(file.bytes, "^import .* from \"\\./(.*)\";$"))
      EXPECT_TRUE(before.contains(from)) << file.name << " imports " << from;
    EXPECT_EQ(found(file.bytes, "^(import )").size(),
              found(file.bytes, "^(import) .* from \"\\./.*\";$").size())
        << file.name;
    before.emplace(file.name);
  }
}

TEST(PageScripts, ShareNoNameAtTheTopLevel) {
  std::set<std::string> names;
  for (const PageFile& file : page_scripts()) {
    for (const std::string& name :
         found(file.bytes, "^(?:export )?(?:async )?(?:function|class|const|let) ([A-Za-z0-9_]+)"))
      EXPECT_TRUE(names.insert(name).second) << file.name << " has " << name << " again";
  }
}

}  // namespace
}  // namespace neardup
