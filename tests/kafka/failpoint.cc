// The failpoints of the test program: NEARDUP_FAILPOINT=PLACE:N ends the process as kill -9 does
// when PLACE is reached for the Nth time; PLACE:N:stop only stops it (SIGSTOP).
#include "service/kafka/failpoint.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string_view>

namespace neardup {

void failpoint(const char* place) {
  static const char* const variable = std::getenv("NEARDUP_FAILPOINT");
  if (variable == nullptr) return;
  const std::string_view wanted(variable);
  const std::size_t colon = wanted.find(':');
  if (wanted.substr(0, colon) != place) return;
  static std::atomic<int> left{std::atoi(variable + colon + 1)};
  if (--left != 0) return;
  std::raise(wanted.ends_with(":stop") ? SIGSTOP : SIGKILL);
}

}  // namespace neardup
