#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/base/failure.h"
#include "service/file/input_list.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class InputNamesTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"b.jsonl", "a.jsonl.gz", "notes.txt", ".hidden.jsonl", "sub/c.csv",
                             "sub/deep/d.warc.gz", "sub/deep/a.jsonl", "B.parquet"}) {
      std::filesystem::create_directories(std::filesystem::path(folder.file(name)).parent_path());
      folder.write(name, "{}\n");
    }
  }

  // Relative to the directory.
  std::vector<std::string> names(const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& lists = {}) {
    found = expand_inputs(inputs, lists);
    for (std::string& path : found.paths)
      if (path.starts_with(root())) path.erase(0, root().size());
    return found.paths;
  }
  std::string root() const { return folder.file(""); }
  std::string failure(const std::string& input) {
    try {
      expand_inputs({input});
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kUnreadable);
      return failure.what();
    }
    return "";
  }

  ScratchDirectory folder;
  InputNames found;
};

TEST_F(InputNamesTest, a_directory_is_its_files_of_known_formats_in_order) {
  EXPECT_THAT(names({folder.file("sub")}),
              ElementsAre("sub/c.csv", "sub/deep/a.jsonl", "sub/deep/d.warc.gz"));
  EXPECT_THAT(found.notes, IsEmpty());
  EXPECT_THAT(names({folder.file("")}),
              ElementsAre("B.parquet", "a.jsonl.gz", "b.jsonl", "sub/c.csv", "sub/deep/a.jsonl",
                          "sub/deep/d.warc.gz"));
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("1 file whose name tells no known format")));
}

TEST_F(InputNamesTest, names_stay_where_they_were_given) {
  EXPECT_THAT(
      names({"-", folder.file("sub/deep"), "missing.jsonl", folder.file("notes.txt")}),
      ElementsAre("-", "sub/deep/a.jsonl", "sub/deep/d.warc.gz", "missing.jsonl", "notes.txt"));
}

TEST_F(InputNamesTest, patterns_match_within_and_across_directories) {
  EXPECT_THAT(names({root() + "*.jsonl*"}), ElementsAre("a.jsonl.gz", "b.jsonl"));
  EXPECT_THAT(names({root() + "[ab].*"}), ElementsAre("a.jsonl.gz", "b.jsonl"));
  EXPECT_THAT(names({root() + "s?b/*"}), ElementsAre("sub/c.csv"));
  EXPECT_THAT(names({root() + "sub/*/d*"}), ElementsAre("sub/deep/d.warc.gz"));
  EXPECT_THAT(names({root() + "**/*.jsonl"}), ElementsAre("b.jsonl", "sub/deep/a.jsonl"));
  EXPECT_THAT(names({root() + "**/deep/*.jsonl"}), ElementsAre("sub/deep/a.jsonl"));
  EXPECT_THAT(names({root() + "sub/**"}),
              ElementsAre("sub/c.csv", "sub/deep/a.jsonl", "sub/deep/d.warc.gz"));
}

TEST_F(InputNamesTest, a_file_with_the_pattern_as_its_name_goes_first) {
  folder.write("[ab].jsonl", "");
  EXPECT_THAT(names({root() + "[ab].jsonl"}), ElementsAre("[ab].jsonl"));
}

TEST_F(InputNamesTest, a_link_to_a_directory_is_not_walked) {
  std::filesystem::create_directory_symlink(folder.file(""), folder.file("sub/loop"));
  EXPECT_THAT(names({folder.file("sub")}),
              ElementsAre("sub/c.csv", "sub/deep/a.jsonl", "sub/deep/d.warc.gz"));
  EXPECT_THAT(names({root() + "**/c.csv"}), ElementsAre("sub/c.csv"));
}

TEST_F(InputNamesTest, lists_are_taken_as_they_are) {
  const std::string list = folder.write("list", "one.jsonl\r\n\n with space *.jsonl\nlast");
  EXPECT_THAT(names({"first"}, {list}),
              ElementsAre("first", "one.jsonl", " with space *.jsonl", "last"));
}

TEST_F(InputNamesTest, what_stands_for_no_file_is_named) {
  std::filesystem::create_directory(folder.file("empty"));
  folder.write("none", "\n\n");
  EXPECT_THAT(failure(folder.file("empty")), HasSubstr("name ends with .jsonl"));
  EXPECT_THAT(failure(root() + "*.tsv"), HasSubstr("no file has such a name"));
  EXPECT_THROW(expand_inputs({}, {folder.file("none")}), Failure);
  EXPECT_THROW(expand_inputs({}, {folder.file("missing")}), Failure);
  EXPECT_THROW(expand_inputs({}, {folder.file("sub")}), Failure);
}

TEST(NamesAFormat, is_told_by_the_suffix_before_the_compression) {
  for (const char* name : {"a.jsonl", "a.ndjson.zst", "x/a.wet.gz", "a.tsv.lz4", "a.json.xz"})
    EXPECT_TRUE(names_a_format(name)) << name;
  for (const char* name : {"a.gz", "a.txt", "jsonl", "a.jsonl.crc", "a.jsonl.zip"})
    EXPECT_FALSE(names_a_format(name)) << name;
}

}  // namespace
}  // namespace neardup::TEST_FILE
