#include "service/ingest/body_record_decoder.h"

#include <gtest/gtest.h>

#include "pipeline/model/text_batch.h"

namespace neardup::TEST_FILE {
namespace {

std::uint64_t counted(std::string bytes, std::optional<std::string_view> key,
                      const OutputOptions& output) {
  const std::size_t size = bytes.size();
  bytes.append(kTextPadding, '\0');
  const RawHeader name_space{kNamespaceOfText, ""};
  RawRecord raw;
  raw.bytes = std::string_view(bytes).substr(0, size);
  raw.size = size;
  raw.key = key;
  raw.headers = {&name_space, 1};
  std::string_view text;
  return BodyRecordDecoder({}, {}, output).decode(raw, text).text_bytes;
}

TEST(BodyRecordDecoder, counts_a_text_only_where_flags_have_its_length) {
  const OutputOptions counting{.fields = {"text_bytes"}};
  EXPECT_EQ(counted("Two words", "a", counting), 9);
  EXPECT_EQ(counted("Two words", "a", {}), 0);
  EXPECT_EQ(counted(R"({"id":"a","text":"Two words"})", {}, counting), 9);
  EXPECT_EQ(counted(R"({"id":"a","text":"Two words"})", {}, {}), 0);
}

}  // namespace
}  // namespace neardup::TEST_FILE
