#include "service/log/notice_log.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace neardup::TEST_FILE {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(NoticeLog, WarnsOnceOfEachKind) {
  std::vector<std::string> lines;
  Log log(
      {}, [&](std::string_view line) { lines.emplace_back(line); },
      [] { return std::chrono::system_clock::time_point(); });
  NoticeLog notices(log);
  notices.show({});
  EXPECT_EQ(lines.size(), 0u);
  NoticeCounts counts = one_notice(NoticeKind::kUnreadTime);
  notices.show(counts);
  counts[0] = 7;
  notices.show(counts);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], AllOf(HasSubstr("warning"), HasSubstr("\"kind\":\"unread_time\""),
                              HasSubstr("input.timestamp_field")));
  notices.show(one_notice(NoticeKind::kUtf16));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[1], HasSubstr("iconv"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
