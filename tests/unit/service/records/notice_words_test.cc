#include "service/records/notice_words.h"

#include <gmock/gmock.h>

namespace neardup::TEST_FILE {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(NoticeWords, EachKindSaysWhatItIsAndWhatToDo) {
  for (std::size_t i = 0; i < NoticeCounts{}.size(); ++i) {
    const NoticeWords words = notice_words(static_cast<NoticeKind>(i));
    EXPECT_NE(words.what, "") << i;
    EXPECT_NE(words.remedy, "") << i;
  }
  EXPECT_THAT(notice_words(NoticeKind::kUnreadTime).remedy, HasSubstr("input.timestamp_field"));
  EXPECT_THAT(notice_words(NoticeKind::kCharset).remedy, HasSubstr("415"));
}

TEST(NoticeWords, OnlyWhatWasCountedHasALine) {
  EXPECT_EQ(notice_text({}), "");
  EXPECT_THAT(notice_text(one_notice(NoticeKind::kJsonArray)),
              StartsWith("         1  records that are a JSON array: "));
}

TEST(NoticeWords, TheSummaryHasEveryKindOfRecord) {
  EXPECT_EQ(notice_json(one_notice(NoticeKind::kHalfSurrogate)),
            R"({"unread_time":0,"replaced_bytes":0,"half_surrogate":1,"utf16":0,"schema_frame":0,)"
            R"("json_array":0})");
}

}  // namespace
}  // namespace neardup::TEST_FILE
