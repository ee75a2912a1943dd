#include "service/kafka/message/trace_context.h"

#include <gtest/gtest.h>

namespace neardup::TEST_FILE {
namespace {

const std::string kParent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const std::string kLater = "cc" + kParent.substr(2);

std::string with(std::size_t at, char c) {
  std::string text = kParent;
  text[at] = c;
  return text;
}

TEST(TraceContext, ATraceparentOfVersion00IsTaken) {
  EXPECT_TRUE(is_traceparent(kParent));
  EXPECT_TRUE(is_traceparent(with(54, '0')));
  EXPECT_TRUE(is_traceparent(with(54, 'f')));
  EXPECT_EQ(trace_id(kParent), "0af7651916cd43dd8448eb211c80319c");
}

TEST(TraceContext, OfLaterVersionsTheKnownPartIsLookedAt) {
  EXPECT_TRUE(is_traceparent(kLater));
  EXPECT_TRUE(is_traceparent(kLater + "-"));
  EXPECT_TRUE(is_traceparent(kLater + "-what the future may bring"));
  EXPECT_TRUE(is_traceparent(kLater + "-" + std::string(72, 'x')));
  EXPECT_FALSE(is_traceparent(kLater + "-" + std::string(73, 'x')));
  EXPECT_FALSE(is_traceparent(kLater + "."));
  EXPECT_FALSE(is_traceparent(kLater + "-\n"));
  EXPECT_FALSE(is_traceparent("ff" + kParent.substr(2)));
  EXPECT_FALSE(is_traceparent(kParent + "-more"));
}

TEST(TraceContext, EveryPartOfATraceparentIsLookedAt) {
  EXPECT_FALSE(is_traceparent(""));
  for (std::size_t at = 0; at < kParent.size(); ++at) {
    for (const char c : {'g', 'A', ' ', '\0', '_'}) EXPECT_FALSE(is_traceparent(with(at, c))) << at;
    EXPECT_FALSE(is_traceparent(kParent.substr(0, at))) << at;
  }
  for (const std::size_t at : {2, 35, 52}) EXPECT_FALSE(is_traceparent(with(at, '0'))) << at;
  const std::string zeros(32, '0');
  EXPECT_FALSE(is_traceparent(std::string(kParent).replace(3, 32, zeros)));
  EXPECT_FALSE(is_traceparent(std::string(kParent).replace(36, 16, zeros.substr(16))));
}

TEST(TraceContext, ATracestateIsPrintableAndBounded) {
  EXPECT_TRUE(is_tracestate("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"));
  EXPECT_TRUE(is_tracestate("a=1 ,\tb=2"));
  EXPECT_TRUE(is_tracestate(std::string(512, 'x')));
  EXPECT_FALSE(is_tracestate(std::string(513, 'x')));
  EXPECT_FALSE(is_tracestate(""));
  for (const char c : {'\n', '\0', '\x7f', '\x80'}) EXPECT_FALSE(is_tracestate(std::string(1, c)));
}

TEST(TraceContext, TheLastHeaderOfANameCounts) {
  const std::string other = with(10, '0');
  const RawHeader headers[] = {{"traceparent", "bad"},
                               {"tracestate", "a=1"},
                               {"x", "1"},
                               {"traceparent", other},
                               {"tracestate", "b=2"}};
  EXPECT_EQ(trace_context(headers), (TraceContext{other, "b=2"}));
  const RawHeader worse[] = {{"traceparent", kParent}, {"traceparent", {}}};
  EXPECT_FALSE(trace_context(worse));
}

TEST(TraceContext, ATracestateIsNothingWithoutItsTraceparent) {
  EXPECT_FALSE(trace_context({}));
  const RawHeader alone[] = {{"tracestate", "a=1"}};
  EXPECT_FALSE(trace_context(alone));
  const RawHeader bad[] = {{"traceparent", "00-1-2-3"}, {"tracestate", "a=1"}};
  EXPECT_FALSE(trace_context(bad));
  const RawHeader other_case[] = {{"Traceparent", kParent}};
  EXPECT_FALSE(trace_context(other_case));
}

TEST(TraceContext, ABadTracestateIsLeftOutAlone) {
  const std::string large(513, 'x');
  const RawHeader headers[] = {{"traceparent", kParent}, {"tracestate", large}};
  const auto trace = trace_context(headers);
  EXPECT_EQ(trace, (TraceContext{kParent, ""}));
  EXPECT_EQ(trace_headers(&*trace).size(), 1u);
}

TEST(TraceContext, ItsHeadersSayItAgain) {
  const TraceContext trace{kParent, "a=1"};
  EXPECT_EQ(trace_context(trace_headers(&trace)), trace);
  EXPECT_TRUE(trace_headers(nullptr).empty());
}

}  // namespace
}  // namespace neardup::TEST_FILE
