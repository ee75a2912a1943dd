// Limits of control groups, in directories that look like those of the kernel.
#include "storage/control_group.h"

#include <gmock/gmock.h>
#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

namespace fs = std::filesystem;
using testing::DoubleEq;
using testing::Optional;

class ControlGroups : public testing::Test {
 protected:
  void put(const std::string& file, const std::string& text) {
    const fs::path path = fs::path(root_.path()) / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  // What the process is told of its groups, and what one group holds.
  void groups(const std::string& lines) { put("proc/self/cgroup", lines); }
  void group(const std::string& path, const std::string& text) {
    put("sys/fs/cgroup/" + path, text);
  }

  ControlGroup read() const { return ControlGroup(root_.path()); }

  ScratchDirectory root_;
};

TEST_F(ControlGroups, WithoutAnyNothingIsLimited) {
  EXPECT_EQ(read().cpus(), std::nullopt);
  EXPECT_EQ(read().memory_bytes(), std::nullopt);
  cpu_set_t set;
  ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  EXPECT_EQ(usable_cores(read()), CPU_COUNT(&set));
}

TEST_F(ControlGroups, AContainerOfVersion2SeesItsOwnGroupAtTheTop) {
  groups("0::/\n");
  group("cpu.max", "150000 100000\n");
  group("memory.max", "5100273664\n");
  EXPECT_THAT(read().cpus(), Optional(DoubleEq(1.5)));
  EXPECT_THAT(read().memory_bytes(), Optional(5100273664u));
}

TEST_F(ControlGroups, TheWordMaxIsNoLimit) {
  groups("0::/\n");
  group("cpu.max", "max 100000\n");
  group("memory.max", "max\n");
  EXPECT_EQ(read().cpus(), std::nullopt);
  EXPECT_EQ(read().memory_bytes(), std::nullopt);
}

TEST_F(ControlGroups, EveryGroupAboveLimitsToo) {
  groups("0::/kubepods/pod7/box\n");
  group("kubepods/cpu.max", "800000 100000\n");
  group("kubepods/pod7/cpu.max", "50000 100000\n");
  group("kubepods/pod7/box/cpu.max", "200000 100000\n");
  group("kubepods/pod7/memory.max", "7000\n");
  group("kubepods/pod7/box/memory.max", "9000\n");
  EXPECT_THAT(read().cpus(), Optional(DoubleEq(0.5)));
  EXPECT_THAT(read().memory_bytes(), Optional(7000u));
}

TEST_F(ControlGroups, OfVersion1) {
  groups("9:memory:/box\n4:cpu,cpuacct:/box\n0::/\n");
  group("cpu/box/cpu.cfs_quota_us", "25000\n");
  group("cpu/box/cpu.cfs_period_us", "10000\n");
  group("cpu/cpu.cfs_quota_us", "-1\n");
  group("cpu/cpu.cfs_period_us", "100000\n");
  group("memory/memory.limit_in_bytes", "9223372036854771712\n");
  group("memory/box/memory.limit_in_bytes", "4096\n");
  EXPECT_THAT(read().cpus(), Optional(DoubleEq(2.5)));
  EXPECT_THAT(read().memory_bytes(), Optional(4096u));
}

TEST_F(ControlGroups, OfVersion1InAContainerThatIsToldThePathOfTheHost) {
  groups("4:cpu,cpuacct:/docker/4f0c\n");
  group("cpu,cpuacct/cpu.cfs_quota_us", "300000\n");
  group("cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_THAT(read().cpus(), Optional(DoubleEq(3)));
}

TEST_F(ControlGroups, NonsenseIsNoLimit) {
  groups("nonsense\n0::\n");
  for (const char* text : {"", "x", "0 0", "-1 100000", "100000 0"}) {
    group("cpu.max", text);
    EXPECT_EQ(read().cpus(), std::nullopt) << text;
  }
}

TEST_F(ControlGroups, CoresAreThoseOfTheQuotaRoundedUpAndNeverMoreThanThereAre) {
  const unsigned all = usable_cores(read());
  groups("0::/\n");
  const auto with = [&](const std::string& quota) {
    group("cpu.max", quota + " 100000\n");
    return usable_cores(read());
  };
  EXPECT_EQ(with("1000"), 1u);
  EXPECT_EQ(with("100000"), 1u);
  EXPECT_EQ(with("100001"), std::min(2u, all));
  EXPECT_EQ(with("100000000"), all);
}

TEST_F(ControlGroups, CoresAreThoseOfTheCpusetToo) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usable_cores(read()), 1u);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

// Where the machine lets us make one.
TEST(ControlGroupOfTheKernel, ItsQuotaIsFollowed) {
  const bool unified = fs::exists("/sys/fs/cgroup/cgroup.controllers");
  const fs::path group = fs::path(unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu") /
                         ("neardup-test-" + std::to_string(getpid()));
  std::error_code error;
  if (!fs::create_directory(group, error)) GTEST_SKIP() << "no group can be made here";
  const auto write = [](const fs::path& file, const std::string& text) {
    std::ofstream out(file);
    out << text << std::flush;
    return out.good();
  };
  const bool limited = unified ? write(group / "cpu.max", "50000 100000")
                               : write(group / "cpu.cfs_quota_us", "50000");
  const bool moved = limited && write(group / "cgroup.procs", std::to_string(getpid()));
  const unsigned cores = usable_cores();
  if (moved) write(group.parent_path() / "cgroup.procs", std::to_string(getpid()));
  fs::remove(group, error);
  if (!moved) GTEST_SKIP() << "the group takes no quota, or no process";
  EXPECT_EQ(cores, 1u);
}

}  // namespace
}  // namespace neardup::TEST_FILE
