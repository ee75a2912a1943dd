#include "service/kafka/cluster/resolver/resolver_start.h"

#include <gtest/gtest.h>

#include <string>

#include "pipeline/base/failure.h"
#include "service/kafka/message/commit_metadata.h"

namespace neardup::TEST_FILE {
namespace {

const std::string kChain(32, 'a');

// What is wrong; nothing: they say the same.
std::string refusal(const std::string& metadata) {
  Decided last;
  last.next = 12;
  last.chain = kChain;
  try {
    require_delivered(last, {{"c.log", 0}, 7, metadata}, "c.decisions");
  } catch (const Failure& refused) {
    EXPECT_EQ(refused.exit(), Exit::kUnavailable);
    return refused.what();
  }
  return "";
}

TEST(ResolverStart, TheLastBatchIsThatOfTheCommittedOffset) {
  EXPECT_EQ(refusal(encode_mark({"leader", 3, kChain, 12})), "");
  EXPECT_EQ(refusal(""), "") << "nothing was committed, or by another program";
}

TEST(ResolverStart, AnOlderMessageThatComesAgainIsRefusedWithBoth) {
  const std::string text = refusal(encode_mark({"leader", 9, std::string(32, 'b'), 40}));
  for (const std::string& part :
       {"topic c.decisions ends before record 12, with the chain " + kChain,
        std::string("c.log[0] says record 40 and bbbb")}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(ResolverStart, OtherFlagsOfTheSameRecordsAreRefused) {
  EXPECT_NE(refusal(encode_mark({"leader", 3, std::string(32, 'b'), 12})), "");
}

}  // namespace
}  // namespace neardup::TEST_FILE
