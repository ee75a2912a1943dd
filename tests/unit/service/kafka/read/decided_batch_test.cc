#include "service/kafka/read/decided_batch.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/service/records/message_support.h"

namespace neardup::TEST_FILE {
namespace {

TEST(HeldRecords, AreFoundByTheirSourceAndOutliveTheirMessages) {
  std::vector<std::unique_ptr<TestMessage>> messages;
  messages.push_back(std::make_unique<TestMessage>(
      "key", "value", std::vector<RawHeader>{{"a", "1"}, {"", ""}, {"a", std::nullopt}}));
  messages.push_back(std::make_unique<TestMessage>(std::nullopt, std::nullopt));
  messages.push_back(std::make_unique<TestMessage>("", "", std::vector<RawHeader>{{"b", "2"}}));
  messages.push_back(std::make_unique<TestMessage>("k", std::string(5000, 'x')));
  for (std::size_t i = 0; i < messages.size(); ++i) messages[i]->raw.source.place = 41 + i;
  HeldRecords held;
  const std::vector<const RawRecord*> first{&messages[0]->raw, &messages[2]->raw};
  const std::vector<const RawRecord*> second{&messages[3]->raw};
  held.add(first);
  held.add({});
  held.add(second);
  EXPECT_EQ(held.size(), 3);
  HeldRecords moved = std::move(held);
  for (const std::size_t i : {0, 2, 3}) {
    const RawRecord* found = moved.find(messages[i]->raw.source);
    ASSERT_NE(found, nullptr);
    EXPECT_NE(found->bytes.data(), messages[i]->raw.bytes.data());
    expect_same(*found, messages[i]->raw);
  }
  EXPECT_EQ(moved.find(messages[1]->raw.source), nullptr);
  EXPECT_EQ(moved.find({.input = 2, .place = 41}), nullptr);
}

}  // namespace
}  // namespace neardup::TEST_FILE
