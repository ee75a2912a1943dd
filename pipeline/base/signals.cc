#include "pipeline/base/signals.h"

#include <csignal>

namespace neardup {
namespace {

std::atomic<bool> stop{false};
std::atomic<int> signal_number{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void on_signal(int number) {
  if (stop.exchange(true)) {
    // The second signal: the default action, which ends the process.
    std::signal(number, SIG_DFL);
    std::raise(number);
    return;
  }
  signal_number = number;
}

void install(int number) {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  // Without SA_RESTART: a read that waits for stdin returns.
  sigaction(number, &action, nullptr);
}

}  // namespace

const std::atomic<bool>& stop_requested() {
  static const bool installed = [] {
    install(SIGINT);
    install(SIGTERM);
    return true;
  }();
  (void)installed;
  return stop;
}

int stop_status() {
  const int number = signal_number;
  return number == 0 ? 0 : 128 + number;
}

}  // namespace neardup
