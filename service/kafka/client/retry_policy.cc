#include "service/kafka/client/retry_policy.h"

#include <algorithm>
#include <thread>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kFirstPause{50};
constexpr milliseconds kLongestPause{2000};
constexpr milliseconds kStep{50};  // how soon a stop is seen
constexpr std::chrono::seconds kBetweenLines{10};

[[noreturn]] void denied(std::string_view doing, std::string_view why) {
  throw Failure(Exit::kConfig,
                std::string("kafka: ").append(doing) + " was refused: " + std::string(why) +
                    "\nCheck credentials, TLS settings and the permissions of this user "
                    "(docs/operations.md lists them).");
}

}  // namespace

void RetryPolicy::pause(milliseconds time) const {
  const auto end = steady_clock::now() + time;
  while (!stop() && steady_clock::now() < end) std::this_thread::sleep_for(std::min(kStep, time));
  if (stop()) throw Stopped();
}

void RetryPolicy::until_done(std::string_view doing, const std::function<void()>& attempt) {
  auto next_line = steady_clock::now();
  for (milliseconds wait = kFirstPause;; wait = std::min(2 * wait, kLongestPause)) {
    if (stop()) throw Stopped();
    try {
      attempt();
      events_.brokers_up();
      return;
    } catch (const KafkaError& error) {
      if (error.error_class() == ErrorClass::kDenied) denied(doing, error.what());
      if (const std::string why = events_.denial(); !why.empty()) denied(doing, why);
      if (error.error_class() != ErrorClass::kRetriable) throw;
      if (steady_clock::now() >= next_line) {
        log_.warning("waiting for Kafka", {{"doing", doing}, {"reason", error.what()}});
        next_line = steady_clock::now() + kBetweenLines;
      }
    }
    pause(wait);
  }
}

}  // namespace neardup
