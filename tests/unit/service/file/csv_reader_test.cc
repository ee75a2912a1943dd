#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "service/file/record_reader.h"
#include "tests/unit/service/file/support.h"

namespace neardup::TEST_FILE {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;
using Strings = std::vector<std::string>;
constexpr std::uint64_t kLimit = 1 << 20;

auto reader_of(std::string bytes, std::size_t piece = 1 << 20, std::uint64_t limit = kLimit,
               char delimiter = ',') {
  return make_csv_reader(std::make_unique<StringStream>(std::move(bytes), piece), limit, delimiter);
}
// The same in one piece and byte by byte.
Strings records(const std::string& bytes, std::uint64_t limit = kLimit, char delimiter = ',') {
  const Strings whole = records_of(*reader_of(bytes, 1 << 20, limit, delimiter));
  EXPECT_EQ(records_of(*reader_of(bytes, 1, limit, delimiter)), whole);
  return whole;
}

TEST(CsvReader, rows_become_objects_with_the_names_of_the_first_row) {
  EXPECT_THAT(records("id,text\na,one\nb,two\n"),
              ElementsAre(R"(2:{"id":"a","text":"one"})", R"(3:{"id":"b","text":"two"})"));
  EXPECT_THAT(records("id\ttext\na\tone, two\n", kLimit, '\t'),
              ElementsAre(R"(2:{"id":"a","text":"one, two"})"));
  EXPECT_THAT(records(""), IsEmpty());
  EXPECT_THAT(records("id,text"), IsEmpty());
  EXPECT_THAT(records("\n\r\n"), IsEmpty());
}

TEST(CsvReader, quotes_hold_delimiters_quotes_and_line_ends) {
  EXPECT_THAT(records("id,text\r\n\"a\",\"one, \"\"two\"\"\nthree\r\nfour\"\r\nb,\"\"\"\"\r\n"),
              ElementsAre(R"(2:{"id":"a","text":"one, \"two\"\nthree\r\nfour"})",
                          R"(5:{"id":"b","text":"\""})"));
  EXPECT_THAT(records("\"i\"\"d\",\"a\nb\"\n1,2\n"), ElementsAre(R"(3:{"i\"d":"1","a\nb":"2"})"));
  // A quote elsewhere is a letter.
  EXPECT_THAT(records("id,text\na,say \"hi\", b\n"), ElementsAre(HasSubstr("3 fields")));
  EXPECT_THAT(records("id,text\na,say \"hi\"\n"),
              ElementsAre(R"(2:{"id":"a","text":"say \"hi\""})"));
}

TEST(CsvReader, an_empty_field_is_left_out_unless_it_is_quoted) {
  EXPECT_THAT(records("a,b,c\n,\"\",x\n1,,\n,,\n"),
              ElementsAre(R"(2:{"b":"","c":"x"})", R"(3:{"a":"1"})", "4:{}"));
}

TEST(CsvReader, blank_lines_a_byte_order_mark_and_a_missing_line_end) {
  EXPECT_THAT(records("\xef\xbb\xbf\n\n\"id\",b\r\n\r\n\na,b"),
              ElementsAre(R"(6:{"id":"a","b":"b"}$)"));
  EXPECT_THAT(records("\xef\xbb,b\na,b\r"), ElementsAre("2:{\"\xef\xbb\":\"a\",\"b\":\"b\"}$"));
  EXPECT_THAT(records("a,b\n1,2\r3\n"), ElementsAre(R"(2:{"a":"1","b":"2\r3"})"));
}

TEST(CsvReader, ragged_rows_are_faulty_and_the_next_ones_are_read) {
  EXPECT_THAT(
      records("id,text\na\na,b,c\nb,x\n"),
      ElementsAre("2!the row has 1 field, and the header has 2: quote fields that hold a comma, a "
                  "quote or a line end",
                  "3!the row has 3 fields, and the header has 2: quote fields that hold a comma, "
                  "a quote or a line end",
                  R"(4:{"id":"b","text":"x"})"));
  EXPECT_THAT(records("id,text\n\"a\"b,c\nd,\"e\" \nf,g\n"),
              ElementsAre(HasSubstr("2!something follows the closing quote of field 1"),
                          HasSubstr("3!something follows the closing quote of field 2"),
                          R"(4:{"id":"f","text":"g"})"));
}

TEST(CsvReader, an_open_quote_fails_behind_the_rows_before_it) {
  EXPECT_THAT(records("id,text\na,b\nc,\"d\ne,f\n"),
              ElementsAre(R"(2:{"id":"a","text":"b"})",
                          AllOf(HasSubstr("in, line 3: a quote is opened there"))));
  EXPECT_THAT(records("id,\"text\na,b\n"), ElementsAre(HasSubstr("in, line 1: a quote")));
  // The line of the quote, not of the row.
  EXPECT_THAT(records("id,text,x\n\"a\nb\",\"c\n,d\n"), ElementsAre(HasSubstr("in, line 3: a")));
  // Also where the row is too large.
  EXPECT_THAT(records("id,text\na,\"" + std::string(100, 'x'), 10),
              ElementsAre(HasSubstr("in, line 2: a quote")));
}

TEST(CsvReader, rows_over_the_limit_are_passed_over) {
  EXPECT_THAT(
      records("id,text\na,1234\nb,12345\nc,\"" + std::string(2 << 20, 'x') + "\n,\"\nd,e\n", 6),
      ElementsAre(R"(2:{"id":"a","text":"1234"})", "3:(7)", "4:(2097158)",
                  R"(6:{"id":"d","text":"e"})"));
}

TEST(CsvReader, columns_need_different_names) {
  EXPECT_THAT(records("id,text,id\na,b,c\n"),
              ElementsAre(AllOf(HasSubstr("in, line 1: "), HasSubstr(R"("id" twice)"),
                                HasSubstr("column 3"))));
  EXPECT_THAT(records("\n,a,\n1,2,3\n"), ElementsAre(HasSubstr(R"("" twice)")));
  EXPECT_THAT(records(",a\n1,2\n"), ElementsAre(R"(2:{"":"1","a":"2"})"));
  EXPECT_THAT(records("\"a\"b,c\n"), ElementsAre(HasSubstr("closing quote of column 1")));
  EXPECT_THAT(records("a," + std::string(70000, 'x') + "\n"),
              ElementsAre(HasSubstr("more than 65536 bytes")));
}

TEST(CsvReader, bytes_that_are_no_utf8_are_left_to_the_decoder) {
  EXPECT_THAT(records("id\n\xff\x01\n"), ElementsAre("2:{\"id\":\"\xff\\u0001\"}"));
}

TEST(CsvReader, rows_are_kept_as_they_are) {
  const auto reader = reader_of("\xef\xbb\xbfid,b\n\n\"a\"\"\",\"x\ny\"\r\nragged\nc,d", 3);
  reader->keep_stored();
  Strings found;
  std::string buffer = "before";
  for (Line line; reader->next(buffer, line); buffer.resize(6)) {
    found.push_back(buffer.substr(6 + line.stored_at, line.stored_size));
    EXPECT_EQ(line.stored_at, line.size);
  }
  EXPECT_THAT(found, ElementsAre("\"a\"\"\",\"x\ny\"\r\n", "ragged\n", "c,d"));
}

TEST(CsvReader, goes_on_behind_every_row) {
  const std::string file = "\xef\xbb\xbfid,text\r\n\r\na,\"b\n\nc\"\r\n\nragged\nd,e\n\nf,g";
  for (const std::size_t piece : {1, 1000}) {
    EXPECT_EQ(first_wrong_resumption([&] { return reader_of(file, piece); }), "");
  }
  EXPECT_FALSE(reader_of(file)->resume({file.size() + 1, 9}));
  EXPECT_FALSE(reader_of(file)->resume({3, 0}));
}

// A cut that leaves whole fields cannot be noticed: the last row is shorter, or ragged.
TEST(CsvReader, every_cut_leaves_the_rows_before_it) {
  const std::string file = "id,text\na,\"one\ntwo\"\n\"b\",\"three, four\"\n";
  const Strings whole = records(file);
  ASSERT_THAT(whole, SizeIs(2));
  for (std::size_t size = 0; size < file.size(); ++size) {
    const Strings read = records(file.substr(0, size));
    for (std::size_t i = 0; i + 1 < read.size(); ++i) EXPECT_EQ(read[i], whole[i]) << size;
    ASSERT_LE(read.size(), 2) << size;
  }
}

TEST(OpenReader, csv_and_tsv_are_told_by_their_names) {
  ScratchDirectory folder;
  const auto read = [&](const char* name, const std::string& bytes) {
    return records_of(*open_reader(RawInput(folder.write(name, bytes)), {kLimit}));
  };
  const std::string csv = "id,text\na,\"b\nc\"\n", tsv = "id\ttext\na\tb,c\n";
  EXPECT_THAT(read("a.csv", csv), ElementsAre(R"(2:{"id":"a","text":"b\nc"})"));
  EXPECT_EQ(read("a.csv.gz", gzip(csv)), read("a.csv", csv));
  EXPECT_EQ(read("a.csv.zst", zstd(csv)), read("a.csv", csv));
  EXPECT_EQ(read("a.csv", zstd(csv)), read("a.csv", csv));
  EXPECT_THAT(read("a.tsv", tsv), ElementsAre(R"(2:{"id":"a","text":"b,c"})"));
  EXPECT_THAT(read("a.txt", "a,b\n"), ElementsAre("1:a,b"));
  EXPECT_THROW(read("a.tsv", std::string("i\0d\0", 4)), Failure);  // UTF-16
}

// A plain file is not read up to the position, a compressed one is.
TEST(OpenReader, positions_hold_in_every_kind_of_file) {
  ScratchDirectory folder;
  const std::string csv = "id,text\na,b\nc,\"d\n\"\ne,f\n";
  for (const std::string& bytes : {csv, gzip(csv), zstd(csv)}) {
    const std::string path = folder.write("a.csv", bytes);
    EXPECT_EQ(first_wrong_resumption([&] { return open_reader(RawInput(path), {kLimit}); }), "");
    const auto reader = open_reader(RawInput(path), {kLimit});
    EXPECT_THAT(records_of(*reader), SizeIs(3));
    EXPECT_EQ(reader->stored_bytes(), bytes.size());
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
