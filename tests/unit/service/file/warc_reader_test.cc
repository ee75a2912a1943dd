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
using testing::Not;
using testing::SizeIs;
using Strings = std::vector<std::string>;
constexpr std::uint64_t kLimit = 1 << 20;

std::string record(const std::string& fields, const std::string& block) {
  return "WARC/1.0\r\n" + fields + "Content-Length: " + std::to_string(block.size()) + "\r\n\r\n" +
         block + "\r\n\r\n";
}
std::string conversion(const std::string& id, const std::string& block) {
  return record("WARC-Type: conversion\r\nWARC-Target-URI: http://a.example/" + id +
                    "\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Record-ID: <urn:" + id +
                    ">\r\nContent-Type: text/plain\r\n",
                block);
}
std::string object(const std::string& id, const std::string& text) {
  return R"({"id":"urn:)" + id + R"(","url":"http://a.example/)" + id +
         R"(","ts":"2026-01-02T03:04:05Z","text":")" + text + "\"}";
}
const std::string kInfo = record("WARC-Type: warcinfo\r\nContent-Type: application/warc-fields\r\n",
                                 "software: by hand\r\n");

auto reader_of(std::string bytes, std::size_t piece = 1 << 20, std::uint64_t limit = kLimit) {
  return make_warc_reader(std::make_unique<StringStream>(std::move(bytes), piece), limit);
}
Strings records(std::string bytes, std::size_t piece = 1 << 20, std::uint64_t limit = kLimit) {
  return records_of(*reader_of(std::move(bytes), piece, limit));
}

TEST(WarcReader, gives_the_texts_of_conversions_and_counts_all_records) {
  const std::string file = kInfo + conversion("a", "one\ntwo\t\"\\\x01") + conversion("b", "");
  EXPECT_THAT(records(file),
              ElementsAre("2:" + object("a", R"(one\ntwo\t\"\\\u0001)"), "3:" + object("b", "")));
  EXPECT_EQ(records(file, 1), records(file));
  EXPECT_THAT(records(""), IsEmpty());
  EXPECT_THAT(records("\r\n\r\n"), IsEmpty());
}

TEST(WarcReader, heads_are_read_as_the_standard_allows) {
  EXPECT_THAT(records("WARC/1.1\nwarc-type:CONVERSION\nWARC-Target-URI: <http://a>\n"
                      "WARC-Record-ID:\n <urn:1>\ncontent-length:  3 \n\nabc\n\n\n\n"),
              ElementsAre(R"(1:{"id":"urn:1","url":"http://a","text":"abc"})"));
  // The first of two fields counts.
  EXPECT_THAT(records(record("WARC-Type: conversion\r\nWARC-Type: request\r\nno field\r\n", "x")),
              ElementsAre(R"(1:{"text":"x"})"));
}

TEST(WarcReader, bytes_that_are_no_utf8_are_left_to_the_decoder) {
  EXPECT_THAT(records(conversion("a", "\xff\xc3\xa4")),
              ElementsAre("1:" + object("a", "\xff\xc3\xa4")));
}

TEST(WarcReader, only_plain_text_is_a_text) {
  const auto typed = [](const std::string& type, const std::string& media) {
    return record("WARC-Type: " + type + "\r\nContent-Type: " + media + "\r\n", "x");
  };
  const auto reader = reader_of(
      kInfo + typed("resource", "text/plain; charset=utf-8") + typed("response", "TEXT/PLAIN") +
      typed("conversion", "image/png") + typed("metadata", "application/warc-fields") +
      record("WARC-Type: response\r\nContent-Type: application/http;msgtype=response\r\n"
             "WARC-Identified-Payload-Type: text/html\r\n",
             "HTTP/1.1 200 OK\r\n\r\n<p>") +
      typed("request", "application/http") + typed("request", "application/http"));
  EXPECT_THAT(records_of(*reader), ElementsAre(R"(2:{"text":"x"})", R"(3:{"text":"x"})"));
  EXPECT_EQ(reader->note(),
            "in: 6 records without a text were skipped: request 2, conversion (image/png) 1, "
            "metadata 1, response (text/html) 1, warcinfo 1; extract the text of HTML first, or "
            "take the WET files of the crawl");
  EXPECT_EQ(reader->position().lines, 8);
}

TEST(WarcReader, a_file_about_itself_is_no_news) {
  const auto reader = reader_of(kInfo + conversion("a", "x"));
  EXPECT_THAT(records_of(*reader), SizeIs(1));
  EXPECT_EQ(reader->note(), "");
}

TEST(WarcReader, kinds_of_a_hostile_file_are_few_and_harmless) {
  std::string file = record("WARC-Type: a\x1b[2J\r\n", "") +
                     record("WARC-Type: " + std::string(500, 'a') + "\r\n", "") + record("", "");
  for (int i = 0; i < 100; ++i) file += record("WARC-Type: t" + std::to_string(i) + "\r\n", "");
  const auto reader = reader_of(file);
  EXPECT_THAT(records_of(*reader), IsEmpty());
  EXPECT_THAT(reader->note(), AllOf(HasSubstr("103 records"), Not(HasSubstr("\x1b"))));
  EXPECT_LT(reader->note().size(), 300);
}

TEST(WarcReader, records_over_the_limit_are_passed_over) {
  const std::string file = conversion("a", "1234") + conversion("b", "12345") +
                           conversion("c", std::string(3 << 20, 'x')) + conversion("d", "");
  const auto expected =
      ElementsAre("1:" + object("a", "1234"), "2:(5)", "3:(3145728)", "4:" + object("d", ""));
  EXPECT_THAT(records(file, 1 << 20, 4), expected);
  EXPECT_THAT(records(file, 777, 4), expected);
}

TEST(WarcReader, a_length_that_lies_takes_no_memory) {
  const std::string file = "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Length: 900000\r\n\r\nabc";
  std::string buffer;
  Line line;
  const auto reader = reader_of(file);
  EXPECT_THROW(reader->next(buffer, line), Failure);
  EXPECT_LT(buffer.capacity(), 1000);
}

TEST(WarcReader, records_are_kept_as_they_are) {
  const std::string a = conversion("a", "one\n"), b = conversion("b", "two");
  const auto reader = reader_of(kInfo + a + "\r\n" + b, 5);
  reader->keep_stored();
  std::string buffer = "before";
  for (const auto& [stored, text] : {std::pair(a, "one\\n"), std::pair(b, "two")}) {
    Line line;
    ASSERT_TRUE(reader->next(buffer, line));
    const std::string_view appended = std::string_view(buffer).substr(6);
    EXPECT_THAT(std::string(appended.substr(0, line.size)), HasSubstr(text));
    EXPECT_EQ(appended.substr(line.stored_at, line.stored_size), stored);
    buffer.resize(6);
  }
}

TEST(WarcReader, goes_on_behind_every_record) {
  const std::string file = kInfo + conversion("a", "one\r\n\r\n") + kInfo + conversion("b", "") +
                           "\r\n" + conversion("c", "WARC/1.0\r\n");
  for (const std::size_t piece : {1, 1000}) {
    EXPECT_EQ(first_wrong_resumption([&] { return reader_of(file, piece); }), "");
  }
  EXPECT_FALSE(reader_of(file)->resume({file.size() + 1, 9}));
}

TEST(WarcReader, every_cut_is_noticed_and_takes_no_record_before_it) {
  const std::string a = conversion("a", "one"), file = a + conversion("b", "two");
  for (std::size_t size = 1; size < file.size(); ++size) {
    const Strings read = records(file.substr(0, size));
    if (size == a.size()) {
      EXPECT_THAT(read, SizeIs(1));  // nothing shows that something is missing
      continue;
    }
    ASSERT_THAT(read, SizeIs(size < a.size() ? 1 : 2)) << size;
    EXPECT_THAT(read.back(),
                AllOf(HasSubstr("in cannot be read from record " + std::to_string(read.size())),
                      HasSubstr("at byte " + std::to_string(size < a.size() ? 0 : a.size())),
                      HasSubstr("the file ends")))
        << size;
  }
}

TEST(WarcReader, wrong_lengths_are_noticed_before_the_record_is_given) {
  const std::string a = conversion("a", "one");
  for (const char* length : {"2", "4", "5", "6", "7", "8", "9", "0"}) {
    std::string b = conversion("b", "two");
    b.replace(b.find("Length: 3") + 8, 1, length);
    const Strings read = records(a + b + conversion("c", "three"));
    ASSERT_THAT(read, SizeIs(2)) << length;
    EXPECT_THAT(read.back(), AllOf(HasSubstr("from record 2 on"),
                                   HasSubstr("at byte " + std::to_string(a.size())),
                                   HasSubstr("Content-Length is wrong")))
        << length;
  }
}

TEST(WarcReader, missing_lengths_and_foreign_bytes_are_named) {
  const std::string a = conversion("a", "one");
  const auto failure_after_a = [&](const std::string& bytes) {
    const Strings read = records(a + bytes);
    EXPECT_THAT(read, SizeIs(2)) << bytes;
    return read.back();
  };
  EXPECT_THAT(failure_after_a("WARC/1.0\r\nWARC-Type: request\r\n\r\n"),
              HasSubstr("missing or no number"));
  for (const char* length : {"-1", "1x", "18446744073709551616", "x"}) {
    EXPECT_THAT(failure_after_a("WARC/1.0\r\nContent-Length: " + std::string(length) + "\r\n\r\n"),
                HasSubstr("missing or no number"));
  }
  EXPECT_THAT(failure_after_a("<html>\n"), HasSubstr("should begin there with WARC/"));
  EXPECT_THAT(failure_after_a("WARC/1.0\r\nX: " + std::string(65536, 'x')),
              HasSubstr("no end within 65536 bytes"));
  EXPECT_THAT(failure_after_a(std::string(70000, 'x')), HasSubstr("no end within 65536 bytes"));
}

TEST(OpenReader, warc_is_told_by_its_bytes_and_by_its_name) {
  ScratchDirectory folder;
  const std::string a = kInfo + conversion("a", "one"), b = conversion("b", "two");
  const auto read = [&](const char* name, const std::string& bytes) {
    return records_of(*open_reader(RawInput(folder.write(name, bytes)), {kLimit}));
  };
  const Strings expected = records(a + b);
  EXPECT_EQ(read("in", a + b), expected);
  EXPECT_EQ(read("in", gzip(kInfo) + gzip(conversion("a", "one")) + gzip(b)), expected);
  EXPECT_EQ(read("in", zstd(a + b)), expected);
  EXPECT_THAT(read("a.warc.gz", gzip("<html>\n")),
              ElementsAre(HasSubstr("begin there with WARC/")));
  EXPECT_THAT(read("a.wet", ""), IsEmpty());
  EXPECT_THAT(read("a.jsonl", "WARC\n"), ElementsAre("1:WARC"));
  const std::string cut = gzip(a).substr(0, 20);
  EXPECT_THAT(read("in", cut), ElementsAre(HasSubstr("ends too early")));
}

}  // namespace
}  // namespace neardup::TEST_FILE
