#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/page/page.h"
#include "service/records/sha256.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// What stands between two marks of the document.
std::string between(const std::string& document, std::string_view begin, std::string_view end) {
  const std::size_t from = document.find(begin) + begin.size();
  return document.substr(from, document.find(end, from) - from);
}

std::string data_of(const std::string& json) {
  return between(report_page(json), "id=\"data\">", "</script>");
}

TEST(ReportPage, KeepsItsData) {
  EXPECT_EQ(data_of(R"({"kind":"report","title":"é – 龍"})"),
            R"({"kind":"report","title":"é – 龍"})");
}

TEST(ReportPage, LetsNoTextEndTheData) {
  EXPECT_EQ(
      data_of(R"(["</script><script>x</script>","<!--","</SCRIPT ","<"])"),
      R"(["\u003c/script>\u003cscript>x\u003c/script>","\u003c!--","\u003c/SCRIPT ","\u003c"])");
  EXPECT_EQ(data_of("[\"a\u2028b\u2029c\u2027\"]"), "[\"a\\u2028b\\u2029c\u2027\"]");
}

TEST(ReportPage, RunsAndShowsNothingButItsOwn) {
  const std::string document = report_page("{}");
  const std::string script = between(document, "<script type=\"module\">", "</script>");
  EXPECT_THAT(document,
              HasSubstr("default-src 'none'; script-src 'sha256-" + sha256_base64(script) +
                        "'; style-src 'sha256-" + sha256_base64(page_style().bytes) + "';"));
  EXPECT_THAT(script, Not(HasSubstr("\nimport ")));
  EXPECT_THAT(script, Not(HasSubstr("\nexport ")));
  for (const PageFile& file : page_scripts())
    EXPECT_THAT(script, HasSubstr(file.bytes.substr(0, file.bytes.find('\n')))) << file.name;
  EXPECT_THAT(script, Not(HasSubstr("<!--")));
  EXPECT_EQ(document.find("</script>", document.find(script) + script.size() + 1),
            std::string::npos);
}

}  // namespace
}  // namespace neardup::TEST_FILE
