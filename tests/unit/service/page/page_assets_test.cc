#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex.h>

#include <memory>
#include <set>

#include "service/page/page.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::size_t kMostBytes = 150'000;  // in all

std::vector<PageFile> all_files() {
  std::vector<PageFile> files{page_document(), page_style()};
  for (const PageFile& file : page_scripts()) files.push_back(file);
  return files;
}

// The last group of each match, in the order of the text. `pattern`: of POSIX, extended; lines have
// a start and an end. (GCC 12 warns about <regex> in the build with sanitizers.)
std::vector<std::string> found(std::string_view bytes, const char* pattern) {
  regex_t regex;
  EXPECT_EQ(::regcomp(&regex, pattern, REG_EXTENDED | REG_NEWLINE), 0) << pattern;
  const std::unique_ptr<regex_t, decltype(&::regfree)> freed(&regex, ::regfree);
  std::vector<regmatch_t> groups(regex.re_nsub + 1);
  std::vector<std::string> matches;
  const std::string text(bytes);
  const char* rest = text.c_str();
  int in_line = 0;
  while (::regexec(&regex, rest, groups.size(), groups.data(), in_line) == 0) {
    matches.emplace_back(rest + groups.back().rm_so, rest + groups.back().rm_eo);
    rest += groups.front().rm_eo;
    in_line = REG_NOTBOL;
  }
  return matches;
}

TEST(PageAssets, AreSmall) {
  std::size_t bytes = 0;
  for (const PageFile& file : all_files()) {
    EXPECT_GT(file.bytes.size(), file.gzip.size()) << file.name;
    EXPECT_TRUE(file.gzip.starts_with("\x1f\x8b")) << file.name;
    bytes += file.bytes.size();
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
         found(file.bytes, "^(export )?(async )?(function|class|const|let) ([A-Za-z0-9_]+)"))
      EXPECT_TRUE(names.insert(name).second) << file.name << " has " << name << " again";
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
