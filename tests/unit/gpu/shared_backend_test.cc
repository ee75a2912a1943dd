// A device that fails: nothing is lost, and it is tried again.
#include "gpu/shared_backend.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "pipeline/base/failure.h"

namespace neardup::TEST_FILE {
namespace {

using std::chrono::seconds;

// What the tests see of all devices that are made.
struct Record {
  bool makes = true;
  bool full = false;
  std::atomic<bool> works{true};
  std::atomic<int> made{0};
  std::atomic<int> alive{0};
  std::atomic<int> calls{0};
};

class Device : public Backend {
 public:
  explicit Device(Record& record) : record_(record) {
    ++record_.made;
    ++record_.alive;
  }
  ~Device() override { --record_.alive; }
  void sketch(const TextBatch&, std::span<const SketchTask> tasks, SketchRows& rows) override {
    ++record_.calls;
    for (const SketchTask& task : tasks) rows.sketches[task.text] = 1;  // perhaps not all
    if (!record_.works) throw DeviceFailure("no longer there");
  }
  std::string description() const override { return "device"; }
  CallSize preferred_call() const override { return {4096, 1 << 24}; }
  BackendReport report() const override {
    BackendReport report;
    report.times.pieces = 1;
    report.device_active = true;
    report.device_bytes = 1000;
    return report;
  }

 private:
  Record& record_;
};

class Cpu : public Backend {
 public:
  void sketch(const TextBatch&, std::span<const SketchTask> tasks, SketchRows& rows) override {
    for (const SketchTask& task : tasks) rows.sketches[task.text] = 2;
  }
  std::string description() const override { return "cpu"; }
};

class SharedBackendTest : public testing::Test {
 protected:
  std::uint64_t sketch_one() {
    SketchRows rows;
    rows.sketches.resize(1);
    const SketchTask task{};
    backend_.sketch({}, {&task, 1}, rows);
    return rows.sketches[0];
  }

  Record record_;
  SharedBackend::Clock::time_point now_{};
  SharedBackend backend_{[this]() -> std::unique_ptr<Backend> {
                           if (record_.full) throw Failure(Exit::kConfig, "no memory on it");
                           if (!record_.makes) throw DeviceFailure("cannot be made");
                           return std::make_unique<Device>(record_);
                         },
                         std::make_unique<Cpu>(), seconds(30), [this] { return now_; }};
};

TEST_F(SharedBackendTest, AWorkingDeviceDoesAll) {
  EXPECT_EQ(sketch_one(), 1u);
  EXPECT_EQ(backend_.description(), "device");
  const BackendReport report = backend_.report();
  EXPECT_EQ(report.failures, 0u);
  EXPECT_EQ(report.documents_on_cpu, 0u);
  EXPECT_EQ(report.times.pieces, 1u);
  EXPECT_FALSE(report.has_failed());
  EXPECT_EQ(backend_.preferred_call().documents, 4096u);
  EXPECT_TRUE(report.device_active);
  EXPECT_EQ(report.device_bytes, 1000u);
}

TEST_F(SharedBackendTest, WhatADeviceCouldNotDoIsDoneOnTheCpu) {
  record_.works = false;
  EXPECT_EQ(sketch_one(), 2u);
  const BackendReport report = backend_.report();
  EXPECT_FALSE(report.device_active);
  EXPECT_EQ(report.device_bytes, 0u);
  EXPECT_EQ(report.failures, 1u);
  EXPECT_EQ(report.last_failure, "no longer there");
  EXPECT_EQ(report.documents_on_cpu, 1u);
  EXPECT_EQ(report.times.pieces, 1u);  // those of the failed device
  EXPECT_TRUE(report.has_failed());
  EXPECT_EQ(record_.alive, 0);
}

TEST_F(SharedBackendTest, AFailedDeviceIsLeftAloneForAWhileAndThenMadeAgain) {
  record_.works = false;
  sketch_one();
  record_.works = true;
  now_ += seconds(29);
  EXPECT_EQ(sketch_one(), 2u);
  EXPECT_EQ(record_.made, 1);
  now_ += seconds(1);
  EXPECT_EQ(sketch_one(), 1u);
  EXPECT_EQ(record_.made, 2);
  EXPECT_FALSE(backend_.report().has_failed());
  EXPECT_EQ(backend_.report().failures, 1u);
  EXPECT_EQ(backend_.report().documents_on_cpu, 2u);
  EXPECT_EQ(backend_.report().times.pieces, 2u);
}

TEST_F(SharedBackendTest, AMemoryThatOthersTookMeanwhileIsWaitedForToo) {
  record_.works = false;
  sketch_one();
  record_.full = true;
  now_ += seconds(30);
  EXPECT_EQ(sketch_one(), 2u);
  EXPECT_EQ(backend_.report().last_failure, "no memory on it");
  record_.full = false;
  record_.works = true;
  now_ += seconds(30);
  EXPECT_EQ(sketch_one(), 1u);
}

TEST_F(SharedBackendTest, ADeviceThatCannotBeMadeAgainCountsAsAFailureEachTime) {
  record_.works = false;
  sketch_one();
  record_.makes = false;
  for (int i = 0; i < 3; ++i) {
    now_ += seconds(30);
    EXPECT_EQ(sketch_one(), 2u);
    EXPECT_EQ(sketch_one(), 2u);
  }
  EXPECT_EQ(backend_.report().failures, 4u);
  EXPECT_EQ(backend_.report().last_failure, "cannot be made");
}

TEST_F(SharedBackendTest, ManyThreadsThatMeetOneFailureCountItOnce) {
  record_.works = false;
  std::atomic<int> on_cpu{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { on_cpu += sketch_one() == 2; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(on_cpu, 8);
  EXPECT_EQ(backend_.report().failures, 1u);
  EXPECT_EQ(backend_.report().documents_on_cpu, 8u);
  EXPECT_EQ(record_.alive, 0);
}

TEST(MakeSharedBackend, ADeviceThatCannotBeMadeAtFirstIsNotHidden) {
  const auto make = []() -> std::unique_ptr<Backend> { throw DeviceFailure("none"); };
  EXPECT_THROW(SharedBackend(make, std::make_unique<Cpu>(), seconds(1)), DeviceFailure);
}

}  // namespace
}  // namespace neardup::TEST_FILE
