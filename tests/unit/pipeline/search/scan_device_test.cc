// The engine `scan` with a device beside the one without.
#include <gmock/gmock.h>

#include "tests/unit/pipeline/search/host_devices.h"
#include "tests/unit/pipeline/search/search_fixture.h"

namespace neardup::TEST_FILE {
namespace {

class ScanDevice : public SimilarAmongMany {
 protected:
  // The answers with a device for so many rows are those without one.
  void expect_same_answers(std::uint64_t room) {
    const auto engine = make_scan_engine(rule_.plan.shape(), {}, host_rows(device_, room));
    expect_same_answers(*engine);
  }
  void expect_same_answers(const SearchEngine& engine) {
    const SimilarOptions options{.k = 10, .min_similarity = 0, .candidates = 50};
    const auto wanted = answers(queries_, options);
    const auto found = answers_of(engine, queries_, options);
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      EXPECT_EQ(hits_of(found[i]), hits_of(wanted[i]));
      EXPECT_EQ(found[i].complete_above, wanted[i].complete_above);
      EXPECT_EQ(found[i].searched, wanted[i].searched);
    }
  }

  HostDeviceState device_;
};

TEST_F(ScanDevice, WhatFitsOnTheDeviceChangesNoAnswer) {
  for (const std::uint64_t room : {0, 1, 1'000, 100'000}) expect_same_answers(room);
  EXPECT_EQ(device_.failures, 0);
}

TEST_F(ScanDevice, ADeviceThatFailsAtAnyStepChangesNoAnswer) {
  const auto engine = make_scan_engine(rule_.plan.shape(), {}, host_rows(device_, 1'000));
  for (int calls : {0, 1}) {  // to follow and to search
    device_.calls_left = calls;
    expect_same_answers(*engine);
    EXPECT_EQ(device_.failures, calls + 1);
    device_.calls_left = -1;
    expect_same_answers(*engine);
    EXPECT_EQ(device_.made, calls + 2);
  }
}

TEST(RetriedDeviceTest, ADeviceIsTriedAgainWhenTheTimeIsOver) {
  using Device = RetriedDevice<int>;
  Device::Clock::time_point now;
  int made = 0;
  std::vector<std::string> failures;
  Device device(
      [&] {
        if (++made == 2) throw DeviceFailure("still out");
        return std::make_unique<int>(made);
      },
      [&](const std::string& failure) { failures.push_back(failure); }, std::chrono::seconds(30),
      [&] { return now; });
  const auto nothing = [](int) {};
  EXPECT_TRUE(device.run(nothing));
  EXPECT_FALSE(device.run([](int) { throw DeviceFailure("out"); }));
  now += std::chrono::seconds(29);
  EXPECT_FALSE(device.run(nothing));
  EXPECT_EQ(made, 1);
  now += std::chrono::seconds(1);
  EXPECT_FALSE(device.run(nothing));  // the second one is made, and fails
  now += std::chrono::seconds(29);
  EXPECT_FALSE(device.run(nothing));
  now += std::chrono::seconds(1);
  int used = 0;
  EXPECT_TRUE(device.run([&](int number) { used = number; }));
  EXPECT_EQ(used, 3);
  EXPECT_THAT(failures, testing::ElementsAre("out", "still out"));
}

TEST(RetriedDeviceTest, OtherExceptionsAreNoFailuresOfTheDevice) {
  int failures = 0;
  RetriedDevice<int> device([] { return std::make_unique<int>(1); },
                            [&](const std::string&) { ++failures; });
  EXPECT_THROW(device.run([](int) { throw std::runtime_error("other"); }), std::runtime_error);
  EXPECT_TRUE(device.run([](int) {}));
  EXPECT_EQ(failures, 0);
}

}  // namespace
}  // namespace neardup::TEST_FILE
