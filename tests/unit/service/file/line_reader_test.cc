#include "service/file/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "pipeline/base/failure.h"
#include "service/file/codec.h"
#include "tests/unit/service/file/support.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace std::string_literals;

LineReader open(const std::string& path, std::uint64_t limit = 1 << 20) {
  return {open_stream(RawInput(path)), limit};
}

// "number:bytes" of each line, and what() of the failure that ended them.
std::vector<std::string> lines_of(LineReader reader) {
  std::vector<std::string> lines;
  try {
    Line line;
    for (std::string buffer; reader.next(buffer, line); buffer.clear()) {
      lines.push_back(std::to_string(line.number) + ":" +
                      (line.too_large ? "(" + std::to_string(line.size) + ")" : buffer) +
                      (line.ended ? "" : "$"));
    }
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kUnreadable);
    lines.push_back(failure.what());
  }
  return lines;
}

class LineReaderTest : public testing::Test {
 protected:
  std::vector<std::string> lines(std::string_view bytes, std::uint64_t limit = 1 << 20) {
    return lines_of(open(folder.write("in", bytes), limit));
  }
  ScratchDirectory folder;
};

TEST_F(LineReaderTest, gives_lines_and_counts_blank_ones) {
  EXPECT_THAT(lines(""), IsEmpty());
  EXPECT_THAT(lines("\n\n \t\r\n"), IsEmpty());
  EXPECT_THAT(lines("a\n"), ElementsAre("1:a"));
  EXPECT_THAT(lines("a\r\n\n  \nb\r\n\r\nc"), ElementsAre("1:a", "4:b", "6:c$"));
  EXPECT_THAT(lines("\r\na\r"), ElementsAre("2:a$"));
}

TEST_F(LineReaderTest, a_byte_order_mark_at_the_start_is_no_part_of_the_record) {
  EXPECT_THAT(lines("\xef\xbb\xbf{}\n\xef\xbb\xbf{}\n"), ElementsAre("1:{}", "2:\xef\xbb\xbf{}"));
  EXPECT_THAT(lines("\xef\xbb\xbf"), IsEmpty());
}

TEST_F(LineReaderTest, lines_are_kept_as_they_are_with_their_ends) {
  LineReader reader = open(folder.write("in", "\xef\xbb\xbf{1}\r\n\n \n{2}\n{3}"));
  reader.keep_stored();
  std::vector<std::string> found;
  std::string buffer = "before";
  for (Line line; reader.next(buffer, line);) {
    const std::string_view appended = std::string_view(buffer).substr(6);
    found.emplace_back(appended.substr(0, line.size));
    found.emplace_back(appended.substr(line.stored_at, line.stored_size));
    buffer.resize(6);
  }
  EXPECT_THAT(found, ElementsAre("{1}", "{1}\r\n", "{2}", "{2}\n", "{3}", "{3}"));
}

TEST_F(LineReaderTest, nul_bytes_are_bytes) {
  EXPECT_THAT(lines("a\0b\n\0\n"s), ElementsAre("1:a\0b"s, "2:\0"s));
}

TEST_F(LineReaderTest, a_line_over_the_limit_is_passed_over) {
  EXPECT_THAT(lines("abc\nabcd\nabcdefgh\nx\n", 4), ElementsAre("1:abc", "2:abcd", "3:(8)", "4:x"));
  EXPECT_THAT(lines("abcdefgh", 4), ElementsAre("1:(8)$"));
}

TEST_F(LineReaderTest, a_huge_line_takes_bounded_memory) {
  const std::string path = folder.write("huge", "x\n");
  constexpr std::uint64_t kSize = std::uint64_t{256} << 20;
  std::filesystem::resize_file(path, kSize);
  LineReader reader = open(path, 1 << 16);
  std::string buffer;
  Line line;
  ASSERT_TRUE(reader.next(buffer, line));
  ASSERT_TRUE(reader.next(buffer, line));
  EXPECT_TRUE(line.too_large);
  EXPECT_EQ(line.size, kSize - 2);
  EXPECT_LT(buffer.capacity(), std::size_t{4} << 20);
  EXPECT_FALSE(reader.next(buffer, line));
}

constexpr auto kArchivers = {gzip, zstd, bzip2, xz, lz4};

std::vector<std::string> archives_of(std::string_view text) {
  std::vector<std::string> archives;
  for (const auto archive : kArchivers) archives.push_back(archive(text));
  return archives;
}

TEST_F(LineReaderTest, archives_are_told_by_their_bytes) {
  const std::string text = "{\"id\":\"a\"}\n{\"id\":\"b\"}\n";
  const auto expected = ElementsAre("1:{\"id\":\"a\"}", "2:{\"id\":\"b\"}");
  for (const std::string& archive : archives_of(text)) EXPECT_THAT(lines(archive), expected);
  EXPECT_THAT(lines_of(open(folder.write("plain.gz", text))), expected);
}

TEST_F(LineReaderTest, members_and_frames_follow_each_other) {
  const auto expected = ElementsAre("1:ab", "2:cd", "3:e");
  for (const auto archive : kArchivers) {
    EXPECT_THAT(lines(archive("ab\nc") + archive("") + archive("d\n") + archive("e\n")), expected);
  }
  const std::string skippable = "\x50\x2a\x4d\x18\x03\0\0\0xyz"s;
  EXPECT_THAT(lines(skippable + zstd("ab\ncd\n") + skippable + zstd("e\n")), expected);
}

TEST_F(LineReaderTest, zero_bytes_after_the_last_member_are_passed_over) {
  const std::string a = gzip("ab\n"), zeros(1000, '\0');
  EXPECT_THAT(lines(a + zeros), ElementsAre("1:ab"));
  EXPECT_THAT(lines(a + gzip("c\n") + std::string(1 << 20, '\0')), ElementsAre("1:ab", "2:c"));
  const auto damaged = ElementsAre("1:ab", HasSubstr("is damaged"));
  EXPECT_THAT(lines(a + zeros + "x"), damaged);
  EXPECT_THAT(lines(a + zeros + gzip("c\n")), damaged);
  EXPECT_THAT(lines(a + "xy"), damaged);
  for (const auto archive : {zstd, bzip2, lz4})
    EXPECT_THAT(lines(archive("ab\n") + zeros), damaged);
}

TEST_F(LineReaderTest, xz_streams_may_be_aligned_with_zero_bytes) {
  const std::string zeros(8, '\0');
  EXPECT_THAT(lines(xz("ab\n") + zeros + xz("c\n") + zeros), ElementsAre("1:ab", "2:c"));
  EXPECT_THAT(lines(xz("ab\n") + zeros + std::string(16, 'x')),
              ElementsAre("1:ab", HasSubstr("is damaged")));
}

TEST_F(LineReaderTest, xz_that_needs_too_much_memory_is_refused) {
  lzma_options_lzma options;
  lzma_lzma_preset(&options, 0);
  options.dict_size = std::uint32_t{512} << 20;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  std::string out(1024, '\0');
  std::size_t size = 0;
  // The dictionary is only what the header asks for: the memory of an encoder is never taken.
  lzma_stream_flags flags{};
  flags.check = LZMA_CHECK_CRC32;
  ASSERT_EQ(lzma_stream_header_encode(&flags, reinterpret_cast<std::uint8_t*>(out.data())),
            LZMA_OK);
  lzma_block block{};
  block.check = LZMA_CHECK_CRC32;
  block.compressed_size = block.uncompressed_size = LZMA_VLI_UNKNOWN;
  block.filters = filters;
  ASSERT_EQ(lzma_block_header_size(&block), LZMA_OK);
  size = LZMA_STREAM_HEADER_SIZE;
  ASSERT_EQ(lzma_block_header_encode(&block, reinterpret_cast<std::uint8_t*>(out.data() + size)),
            LZMA_OK);
  EXPECT_THAT(lines(out), ElementsAre(HasSubstr("more than 256 MiB of memory")));
}

// Up to the last byte of the padding, wherever the codec is given more.
TEST(GzipCodec, takes_padding_byte_by_byte) {
  const std::string bytes = gzip("ab") + std::string(3, '\0');
  const auto codec = make_gzip_codec();
  std::string text;
  bool ended = false;
  for (std::size_t i = 0; i < bytes.size();) {
    char out[8];
    const Codec::Step step = codec->step(&bytes[i], 1, out, sizeof out);
    ASSERT_EQ(step.error, "") << i;
    text.append(out, step.produced);
    ended = step.ended;
    i += step.used;
  }
  EXPECT_EQ(text, "ab");
  EXPECT_TRUE(ended);
}

TEST_F(LineReaderTest, an_archive_without_its_header_ends_too_early) {
  for (const char* name : {"a.gz", "a.jsonl.zst", "a.bz2", "a.xz", "a.jsonl.lz4"}) {
    const auto failure = [&](std::string_view bytes) -> std::string {
      try {
        open(folder.write(name, bytes));
      } catch (const Failure& found) {
        EXPECT_EQ(found.exit(), Exit::kUnreadable);
        return found.what();
      }
      return "";
    };
    EXPECT_THAT(failure(""), testing::AllOf(HasSubstr(name), HasSubstr("ends too early"))) << name;
    EXPECT_THAT(failure("{"), "") << name;
  }
  EXPECT_THROW(open(folder.write("a.gz", "\x1f")), Failure);
  EXPECT_THROW(open(folder.write("a.zst", "\x28\xb5\x2f")), Failure);
  EXPECT_NO_THROW(open(folder.write("empty.jsonl", "")));
}

TEST_F(LineReaderTest, utf16_is_named_with_the_remedy) {
  const auto utf16 = [](std::string_view text, bool big) {
    std::string bytes;
    for (const char c : text) bytes += big ? std::string{'\0', c} : std::string{c, '\0'};
    return bytes;
  };
  const std::string record = "{\"id\":\"a\"}\n";
  const auto named = [](const char* coding) {
    return ElementsAre(HasSubstr("`iconv -f "s + coding + " -t UTF-8`"));
  };
  EXPECT_THAT(lines("\xff\xfe" + utf16(record, false)), named("UTF-16"));
  EXPECT_THAT(lines("\xfe\xff" + utf16(record, true)), named("UTF-16"));
  EXPECT_THAT(lines(utf16(record, false)), named("UTF-16LE"));
  EXPECT_THAT(lines(utf16(record, true)), named("UTF-16BE"));
  EXPECT_THAT(lines(gzip(utf16(record, true))), named("UTF-16BE"));
  EXPECT_THAT(lines(utf16("\n\n" + record, false)), named("UTF-16LE"));
}

std::string many_lines(std::size_t count) {
  std::mt19937_64 random(7);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += "{\"n\":" + std::to_string(random()) + ",\"m\":" + std::to_string(random()) + "}\n";
  }
  return text;
}

TEST_F(LineReaderTest, large_archives_give_every_line) {
  const std::string text = many_lines(100'000);
  const std::vector<std::string> expected = lines(text);
  EXPECT_EQ(expected.size(), 100'000);
  for (const std::string& archive : archives_of(text)) EXPECT_EQ(lines(archive), expected);
}

TEST_F(LineReaderTest, a_cut_archive_gives_all_whole_lines_and_then_fails) {
  const std::string text = many_lines(50'000);
  for (const std::string& archive : archives_of(text)) {
    const std::vector<std::string> whole = lines(archive);
    const std::vector<std::string> cut =
        lines(std::string_view(archive).substr(0, archive.size() - 5));
    ASSERT_GT(cut.size(), 20'000);  // the last block of bzip2 is lost as a whole
    for (std::size_t i = 0; i + 1 < cut.size(); ++i) ASSERT_EQ(cut[i], whole[i]);
    EXPECT_THAT(cut.back(),
                HasSubstr("ends too early, at byte " + std::to_string(archive.size() - 5)));
    EXPECT_THAT(cut.back(), HasSubstr(folder.file("in")));
  }
}

TEST_F(LineReaderTest, a_damaged_archive_fails_after_what_was_good) {
  const std::string text = many_lines(50'000);
  for (std::string archive : archives_of(text)) {
    for (std::size_t i = 0; i < 64; ++i) archive[archive.size() * 9 / 10 + i] ^= 0x55;
    const std::vector<std::string> read = lines(archive);
    EXPECT_GT(read.size(), 20'000);
    EXPECT_THAT(read.back(), HasSubstr("is damaged, at byte "));
  }
  EXPECT_THAT(lines(gzip("a\n") + "garbage").back(), HasSubstr("is damaged"));
}

TEST_F(LineReaderTest, every_cut_of_a_small_archive_is_noticed) {
  for (const std::string& archive : archives_of("a\nb\n")) {
    for (std::size_t size = 6; size < archive.size(); ++size) {
      const std::vector<std::string> read = lines(std::string_view(archive).substr(0, size));
      ASSERT_FALSE(read.empty()) << size;
      EXPECT_THAT(read.back(), HasSubstr("ends too early")) << size;
    }
  }
}

TEST_F(LineReaderTest, goes_on_at_every_line_of_every_kind_of_file) {
  const std::string text = "\xef\xbb\xbf{\"a\"}\n\n{\"b\"}\r\n{\"c\"}";
  std::vector<std::string> forms = archives_of(text);
  forms.push_back(text);
  for (const std::string& bytes : forms) {
    const std::string path = folder.write("in", bytes);
    const std::vector<std::string> whole = lines_of(open(path));
    LineReader reader = open(path);
    std::string buffer;
    Line line;
    for (std::size_t i = 0; reader.next(buffer, line); ++i) {
      LineReader later = open(path);
      ASSERT_TRUE(later.resume(reader.position()));
      EXPECT_EQ(lines_of(std::move(later)),
                std::vector<std::string>(whole.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                         whole.end()));
    }
    EXPECT_EQ(reader.position(), (LinePosition{text.size(), 3}));
    EXPECT_EQ(reader.stored_bytes(), bytes.size());
    EXPECT_FALSE(open(path).resume({text.size() + 1, 0}));
  }
}

TEST_F(LineReaderTest, what_cannot_be_opened_is_named) {
  for (const std::string& path : {folder.file(""), folder.file("missing")}) {
    try {
      RawInput input(path);
      FAIL() << path;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kUnreadable);
      EXPECT_THAT(failure.what(), HasSubstr(path));
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
