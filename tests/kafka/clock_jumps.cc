// Preloaded into a program (cluster_environment_test.py), it moves the wall clock by the seconds
// that the file NEARDUP_CLOCK holds, as a little-endian 64-bit number, whenever that changes.
// Monotonic clocks and the length of waits stay what they are.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace {

constexpr time_t kLongAfterBoot = 1'000'000'000;  // a time of a monotonic clock is smaller

const volatile std::int64_t* open_offset() {
  const int file = open(std::getenv("NEARDUP_CLOCK"), O_RDONLY | O_CLOEXEC);
  void* at = mmap(nullptr, sizeof(std::int64_t), PROT_READ, MAP_SHARED, file, 0);
  if (at == MAP_FAILED) std::abort();
  close(file);
  return static_cast<const volatile std::int64_t*>(at);
}

std::int64_t offset() {
  static const volatile std::int64_t* const seconds = open_offset();
  return *seconds;
}

// The end of a wait by the true clock.
timespec true_end(const timespec& end) {
  timespec found = end;
  if (end.tv_sec > kLongAfterBoot) found.tv_sec -= offset();
  return found;
}

template <class Function>
Function* next(const char* name, const char* version) {
  return reinterpret_cast<Function*>(dlvsym(RTLD_NEXT, name, version));
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static auto* const real = next<int(clockid_t, timespec*)>("clock_gettime", "GLIBC_2.17");
  const int result = real(clock, time);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) time->tv_sec += offset();
  return result;
}

int gettimeofday(timeval* time, void*) noexcept {
  timespec now{};
  const int result = clock_gettime(CLOCK_REALTIME, &now);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return result;
}

time_t time(time_t* out) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != nullptr) *out = now.tv_sec;
  return now.tv_sec;
}

int timespec_get(timespec* time, int base) noexcept {
  clock_gettime(CLOCK_REALTIME, time);
  return base;
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* end) {
  static auto* const real = next<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)>(
      "pthread_cond_timedwait", "GLIBC_2.3.2");
  const timespec by_true_clock = true_end(*end);
  return real(condition, mutex, &by_true_clock);
}

int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* end) {
  static auto* const real =
      reinterpret_cast<int (*)(cnd_t*, mtx_t*, const timespec*)>(dlsym(RTLD_NEXT, "cnd_timedwait"));
  const timespec by_true_clock = true_end(*end);
  return real(condition, mutex, &by_true_clock);
}

}  // extern "C"
