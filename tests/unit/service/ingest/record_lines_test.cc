#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "service/ingest/body_reader.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;

// "line:bytes" of each record, or "line:too large SIZE".
std::vector<std::string> records(std::string_view body, std::size_t piece_bytes,
                                 BodyForm form = BodyForm::kLines, std::uint64_t most = 100) {
  RecordLines lines(form, most);
  std::vector<std::string> found;
  const auto add = [&](const RawRecord& record) {
    const std::string line = std::to_string(record.source.place) + ":";
    found.push_back(record.too_large ? line + "too large " + std::to_string(record.size)
                                     : line + std::string(record.bytes));
  };
  RawRecord record;
  while (!body.empty()) {
    std::string_view piece = body.substr(0, piece_bytes);
    body.remove_prefix(piece.size());
    while (lines.next(piece, record)) add(record);
  }
  if (lines.last(record)) add(record);
  return found;
}

TEST(RecordLines, AreTheSameInAnyPieces) {
  for (const std::size_t piece : {1, 2, 3, 7, 1000}) {
    EXPECT_THAT(records("a\nbc\n\n \t\r\nd\r\n\re", piece),
                ElementsAre("1:a", "2:bc", "5:d", "6:\re"))
        << piece;
    EXPECT_THAT(records("a\n", piece), ElementsAre("1:a"));
    EXPECT_THAT(records("\xef\xbb\xbf{\n\xef\xbb\xbf{", piece),
                ElementsAre("1:{", "2:\xef\xbb\xbf{"));
    EXPECT_THAT(records("", piece), ElementsAre());
    EXPECT_THAT(records("\n\n", piece), ElementsAre());
  }
}

TEST(RecordLines, ThatAreTooLargeAreGivenWithoutBytes) {
  const std::string body = "a\n" + std::string(101, 'x') + "\n" + std::string(100, 'y') + "\nb";
  for (const std::size_t piece : {1, 50, 1000}) {
    EXPECT_THAT(records(body, piece),
                ElementsAre("1:a", "2:too large 101", "3:" + std::string(100, 'y'), "4:b"))
        << piece;
  }
}

TEST(RecordLines, ThatAreBlankCountAsLines) {
  const std::string blank = std::string(250, '\n') + "\r\n" + std::string(99, ' ') + "\n";
  const std::string body =
      blank + " a\n" + blank + std::string(101, ' ') + "\n" + blank + "b" + blank;
  for (const std::size_t piece : {1, 2, 50, 100, 10'000}) {
    EXPECT_THAT(records(body, piece), ElementsAre("253: a", "506:too large 101", "759:b")) << piece;
  }
}

TEST(RecordLines, MayBeTheWholeBody) {
  for (const std::size_t piece : {1, 1000}) {
    EXPECT_THAT(records("{\n\"id\":1\n}\n", piece, BodyForm::kWhole),
                ElementsAre("1:{\n\"id\":1\n}\n"));
    EXPECT_THAT(records(" \n", piece, BodyForm::kWhole), ElementsAre());
    EXPECT_THAT(records(std::string(300, 'x'), piece, BodyForm::kWhole),
                ElementsAre("1:too large 300"));
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
