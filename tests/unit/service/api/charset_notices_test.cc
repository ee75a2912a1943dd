#include <gtest/gtest.h>

#include "service/api/failures.h"

namespace neardup::TEST_FILE {
namespace {

TEST(Charset, IsAParameterOfTheMediaType) {
  EXPECT_EQ(charset_of(""), "");
  EXPECT_EQ(charset_of("text/plain"), "");
  EXPECT_EQ(charset_of("text/plain; charset=utf-8"), "utf-8");
  EXPECT_EQ(charset_of("text/plain;CHARSET=\"ISO-8859-1\""), "ISO-8859-1");
  EXPECT_EQ(charset_of("text/plain ; format=flowed ;  charset = latin1 ; x=y"), "latin1");
  EXPECT_EQ(charset_of("text/plain; x=\";charset=a\\\";\"; charset=b"), "b");
  EXPECT_EQ(charset_of("text/plain; xcharset=a"), "");
  EXPECT_EQ(charset_of("text/plain; charset"), "");
  EXPECT_EQ(charset_of(";;charset=\""), "");
}

TEST(Charset, OtherThanUtf8IsRefusedWhereThereIsABody) {
  HttpRoutes routes{{.methods = {"POST"}, .path = "/body", .takes = {"text/plain"}},
                    {.methods = {"GET"}, .path = "/none"}};
  MetricRegistry registry;
  Log log{LogOptions()};
  refuse_other_charsets(routes, registry, log);
  const auto refused = [&] { return registry.counted(Metric::kNotices, NoticeKind::kCharset); };
  EXPECT_FALSE(routes[1].refuse);
  const auto status = [&](const char* type) {
    RequestHead head;
    head.type = type;
    const auto answer = routes[0].refuse(head);
    return answer ? answer->status : 0;
  };
  for (const char* type : {"", "text/plain", "text/plain; charset=UTF-8",
                           "text/plain; charset=\"utf-8\"", "text/plain; charset=utf8"}) {
    EXPECT_EQ(status(type), 0) << type;
  }
  EXPECT_EQ(refused(), 0);
  for (const char* type : {"text/plain; charset=iso-8859-1", "application/json; charset=UTF-16"})
    EXPECT_EQ(status(type), 415) << type;
  EXPECT_EQ(refused(), 2);
}

}  // namespace
}  // namespace neardup::TEST_FILE
