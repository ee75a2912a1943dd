// Kills this process before one of its operations on files. To be included by one source of a
// program: it takes the place of the C library's functions, for RocksDB too.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>

namespace neardup::testing {

inline std::atomic<std::uint64_t> file_operations = 0;
inline std::atomic<std::uint64_t> last_file_operation = 0;  // is not done any more; 0: no kill

inline void count_file_operation() {
  if (++file_operations == last_file_operation) kill(getpid(), SIGKILL);
}

template <class... Args>
int counted(long call, Args... args) {
  count_file_operation();
  return static_cast<int>(syscall(call, args...));
}

}  // namespace neardup::testing

extern "C" {
int fsync(int file) { return neardup::testing::counted(SYS_fsync, file); }
int fdatasync(int file) { return neardup::testing::counted(SYS_fdatasync, file); }
int unlink(const char* path) noexcept { return neardup::testing::counted(SYS_unlink, path); }
int link(const char* from, const char* to) noexcept {
  return neardup::testing::counted(SYS_link, from, to);
}
int rename(const char* from, const char* to) noexcept {
  return neardup::testing::counted(SYS_rename, from, to);
}
}
