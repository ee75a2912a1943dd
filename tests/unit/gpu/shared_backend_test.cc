// A device that starts slowly, is busy or fails: cores do the work, nothing is lost, and it is
// tried again.
#include "gpu/shared_backend.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <new>
#include <thread>
#include <vector>

#include "pipeline/base/failure.h"

namespace neardup::TEST_FILE {
namespace {

using std::chrono::seconds;

constexpr std::uint64_t kByDevice = 1;
constexpr std::uint64_t kByCores = 2;

// What the tests see of all devices that are made, and how those behave.
struct Record {
  std::atomic<bool> makes{true};
  std::atomic<bool> full{false};
  std::atomic<bool> works{true};
  std::atomic<int> calls_with_room{1'000'000};
  std::atomic<int> attempts{0};
  std::atomic<int> made{0};
  std::atomic<int> alive{0};
};

class Device : public Backend {
 public:
  explicit Device(Record& record) : record_(record) {
    ++record_.made;
    ++record_.alive;
  }
  ~Device() override { --record_.alive; }
  void sketch(const TextBatch&, std::span<const SketchTask> tasks, SketchRows& rows) override {
    for (const SketchTask& task : tasks) rows.sketches[task.text] = kByDevice;  // perhaps not all
    if (!record_.works) throw DeviceFailure("no longer there");
  }
  bool try_sketch(const TextBatch& texts, std::span<const SketchTask> tasks,
                  SketchRows& rows) override {
    if (record_.calls_with_room-- <= 0) return false;
    sketch(texts, tasks, rows);
    return true;
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

class Cores : public Backend {
 public:
  void sketch(const TextBatch&, std::span<const SketchTask> tasks, SketchRows& rows) override {
    EXPECT_LE(tasks.size(), preferred_call().documents);
    for (const SketchTask& task : tasks) rows.sketches[task.text] = kByCores;
  }
  std::string description() const override { return "cpu"; }
};

// Who made each row of a call with so many documents of `bytes`.
std::vector<std::uint64_t> sketch(Backend& backend, std::uint32_t documents,
                                  std::size_t bytes = 1) {
  TextBatch texts;
  SketchRows rows;
  std::vector<SketchTask> tasks;
  for (std::uint32_t i = 0; i < documents; ++i) {
    texts.push(std::string(bytes, 'a'));
    tasks.push_back({i, 0});
  }
  rows.sketches.resize(documents);
  backend.sketch(texts, tasks, rows);
  return rows.sketches;
}

std::uint64_t sketch_one(Backend& backend) { return sketch(backend, 1).front(); }

// Of a thread that starts a device.
template <class Condition>
void wait_until(const Condition& holds) {
  while (!holds()) std::this_thread::yield();
}

class SharedBackendTest : public testing::Test {
 protected:
  std::unique_ptr<Backend> make() {
    ++record_.attempts;
    if (record_.full) throw Failure(Exit::kConfig, "no memory on it");
    if (!record_.makes) throw DeviceFailure("cannot be made");
    return std::make_unique<Device>(record_);
  }
  // Of the call that makes a device again.
  std::uint64_t sketch_and_wait_for_start() {
    const std::uint64_t failures = backend_.report().failures;
    const std::uint64_t by = sketch_one(backend_);
    wait_until([&] {
      const BackendReport report = backend_.report();
      return report.device_active || report.failures > failures;
    });
    return by;
  }

  Record record_;
  std::atomic<SharedBackend::Clock::time_point> now_{SharedBackend::Clock::time_point{}};
  SharedBackend backend_{[this] { return make(); }, std::make_unique<Cores>(), seconds(30),
                         [this] { return now_.load(); }};
  void pass(seconds time) { now_ = now_.load() + time; }
};

TEST_F(SharedBackendTest, ADeviceWithRoomDoesAll) {
  EXPECT_EQ(sketch(backend_, 5000), std::vector<std::uint64_t>(5000, kByDevice));
  EXPECT_EQ(backend_.description(), "device and cpu");
  const BackendReport report = backend_.report();
  EXPECT_EQ(report.failures, 0u);
  EXPECT_EQ(report.documents_on_device, 5000u);
  EXPECT_EQ(report.documents_shared, 0u);
  EXPECT_EQ(report.documents_on_cpu, 0u);
  EXPECT_EQ(report.times.pieces, 1u);
  EXPECT_FALSE(report.has_failed());
  EXPECT_EQ(backend_.preferred_call().documents, 4096u);
  EXPECT_TRUE(report.device_active);
  EXPECT_EQ(report.device_bytes, 1000u);
}

TEST_F(SharedBackendTest, CoresDoWhatABusyDeviceHasNoRoomFor) {
  record_.calls_with_room = 0;
  EXPECT_EQ(sketch(backend_, 5000), std::vector<std::uint64_t>(5000, kByCores));
  EXPECT_EQ(backend_.report().documents_shared, 5000u);
  EXPECT_EQ(backend_.report().documents_on_device, 0u);
  EXPECT_EQ(backend_.report().documents_on_cpu, 0u);
  EXPECT_FALSE(backend_.report().has_failed());
}

// The device becomes free while cores are at their third part.
class FreeAfter : public Device {
 public:
  FreeAfter(Record& record, int parts) : Device(record), parts_(parts) {}
  bool try_sketch(const TextBatch& texts, std::span<const SketchTask> tasks,
                  SketchRows& rows) override {
    return parts_-- <= 0 && Device::try_sketch(texts, tasks, rows);
  }

 private:
  int parts_;
};

TEST_F(SharedBackendTest, ADeviceThatBecomesFreeTakesWhatIsLeftOfACall) {
  const auto backend_with = [&](int parts) {
    return std::make_unique<SharedBackend>(
        [this, parts] { return std::make_unique<FreeAfter>(record_, parts); },
        std::make_unique<Cores>(), seconds(30));
  };
  const auto by_count = backend_with(3);
  auto made_by = sketch(*by_count, 1000);
  std::vector<std::uint64_t> wanted(768, kByCores);
  wanted.resize(1000, kByDevice);
  EXPECT_EQ(made_by, wanted);
  EXPECT_EQ(by_count->report().documents_shared, 768u);
  EXPECT_EQ(by_count->report().documents_on_device, 232u);

  made_by = sketch(*backend_with(1), 10, 400'000);  // three documents are more than 1 MiB
  wanted.assign(3, kByCores);
  wanted.resize(10, kByDevice);
  EXPECT_EQ(made_by, wanted);
}

TEST_F(SharedBackendTest, CoresRepeatACallThatFailed) {
  record_.works = false;
  EXPECT_EQ(sketch(backend_, 1000), std::vector<std::uint64_t>(1000, kByCores));
  const BackendReport report = backend_.report();
  EXPECT_FALSE(report.device_active);
  EXPECT_EQ(report.device_bytes, 0u);
  EXPECT_EQ(report.failures, 1u);
  EXPECT_EQ(report.last_failure, "no longer there");
  EXPECT_EQ(report.documents_on_cpu, 1000u);
  EXPECT_EQ(report.documents_shared, 0u);
  EXPECT_EQ(report.times.pieces, 1u);  // those of the failed device
  EXPECT_TRUE(report.has_failed());
  EXPECT_EQ(record_.alive, 0);
  EXPECT_EQ(backend_.preferred_call().documents, 256u);
}

TEST_F(SharedBackendTest, AFailedDeviceIsLeftAloneForAWhileAndThenMadeAgain) {
  record_.works = false;
  sketch_one(backend_);
  record_.works = true;
  pass(seconds(29));
  EXPECT_EQ(sketch_one(backend_), kByCores);
  EXPECT_EQ(record_.attempts, 1);
  pass(seconds(1));
  sketch_and_wait_for_start();
  EXPECT_EQ(sketch_one(backend_), kByDevice);
  EXPECT_EQ(record_.made, 2);
  EXPECT_FALSE(backend_.report().has_failed());
  EXPECT_EQ(backend_.report().failures, 1u);
  EXPECT_EQ(backend_.report().times.pieces, 2u);
}

TEST_F(SharedBackendTest, AMemoryThatOthersTookMeanwhileIsWaitedForToo) {
  record_.works = false;
  sketch_one(backend_);
  record_.full = true;
  pass(seconds(30));
  EXPECT_EQ(sketch_and_wait_for_start(), kByCores);
  EXPECT_EQ(backend_.report().last_failure, "no memory on it");
  record_.full = false;
  record_.works = true;
  pass(seconds(30));
  wait_until([&] { return sketch_one(backend_) == kByDevice; });
}

TEST_F(SharedBackendTest, ADeviceThatCannotBeMadeAgainCountsAsAFailureEachTime) {
  record_.works = false;
  sketch_one(backend_);
  record_.makes = false;
  for (std::uint64_t failures = 2; failures < 5; ++failures) {
    pass(seconds(30));
    wait_until([&] {
      EXPECT_EQ(sketch_one(backend_), kByCores);
      return backend_.report().failures == failures;
    });
  }
  EXPECT_EQ(sketch_one(backend_), kByCores);
  EXPECT_EQ(backend_.report().failures, 4u);
  EXPECT_EQ(backend_.report().last_failure, "cannot be made");
}

TEST_F(SharedBackendTest, ManyThreadsThatMeetOneFailureCountItOnce) {
  record_.works = false;
  std::atomic<int> by_cores{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] { by_cores += sketch_one(backend_) == kByCores; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(by_cores, 8);
  EXPECT_EQ(backend_.report().failures, 1u);
  EXPECT_EQ(backend_.report().documents_on_cpu, 8u);
  EXPECT_EQ(record_.alive, 0);
}

TEST(StartOfASharedBackend, AFailureAtOnceIsNotHidden) {
  const auto make = []() -> std::unique_ptr<Backend> { throw DeviceFailure("none"); };
  EXPECT_THROW(SharedBackend(make, std::make_unique<Cores>(), seconds(1)), DeviceFailure);
}

TEST(StartOfASharedBackend, CoresWorkUntilASlowDeviceHasStarted) {
  Record record;
  std::latch begun(1), goes_on(1);
  SharedBackend::Clock::time_point now{};
  SharedBackend backend(
      [&] {
        begun.count_down();
        goes_on.wait();
        return std::make_unique<Device>(record);
      },
      std::make_unique<Cores>(), seconds(1), seconds(30), [&] { return now; });
  EXPECT_EQ(sketch_one(backend), kByCores);
  EXPECT_EQ(backend.description(), "cpu; GPU not started");
  now += seconds(1);
  EXPECT_EQ(sketch_one(backend), kByCores);
  begun.wait();
  EXPECT_EQ(sketch(backend, 300), std::vector<std::uint64_t>(300, kByCores));
  EXPECT_EQ(backend.preferred_call().documents, 256u);
  EXPECT_EQ(backend.report().documents_shared, 302u);
  EXPECT_FALSE(backend.report().has_device());
  goes_on.count_down();
  wait_until([&] { return backend.report().device_active; });
  EXPECT_EQ(sketch_one(backend), kByDevice);
  EXPECT_EQ(backend.description(), "device and cpu");
  EXPECT_EQ(record.made, 1);
}

TEST(StartOfASharedBackend, ARunThatEndsBeforeStartsNothing) {
  Record record;
  {
    SharedBackend backend([&] { return std::make_unique<Device>(record); },
                          std::make_unique<Cores>(), std::chrono::hours(1), seconds(30));
    EXPECT_EQ(sketch_one(backend), kByCores);
  }
  EXPECT_EQ(record.made, 0);
}

TEST(StartOfASharedBackend, ADeviceThatCannotStartIsNamedAndLeftAlone) {
  std::atomic<int> attempts{0};
  SharedBackend backend(
      [&]() -> std::unique_ptr<Backend> {
        ++attempts;
        throw DeviceFailure("too old");
      },
      std::make_unique<Cores>(), seconds(0), seconds(0));
  sketch_one(backend);
  wait_until([&] { return backend.description() == "cpu; no GPU: too old"; });
  for (int i = 0; i < 3; ++i) EXPECT_EQ(sketch_one(backend), kByCores);
  EXPECT_EQ(attempts, 1);
  EXPECT_FALSE(backend.report().has_failed());
}

TEST(StartOfASharedBackend, MemoryThatTheHostLacksEndsNothing) {
  SharedBackend backend([]() -> std::unique_ptr<Backend> { throw std::bad_alloc(); },
                        std::make_unique<Cores>(), seconds(0), seconds(0));
  sketch_one(backend);
  wait_until([&] { return backend.description() == "cpu; no GPU: std::bad_alloc"; });
  EXPECT_EQ(sketch_one(backend), kByCores);
}

}  // namespace
}  // namespace neardup::TEST_FILE
