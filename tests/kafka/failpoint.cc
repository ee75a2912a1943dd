// The failpoints of the test program: NEARDUP_FAILPOINT=PLACE:N ends the process as kill -9 does
// when PLACE is reached for the Nth time; PLACE:N:stop only stops it (SIGSTOP), PLACE:N:fail is an
// error of librdkafka there that trying again does not mend.
#include "service/failpoint.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "service/kafka/client/handles.h"

namespace neardup {

void failpoint(const char* place) {
  static const char* const variable = std::getenv("NEARDUP_FAILPOINT");
  if (variable == nullptr) return;
  const std::string_view wanted(variable);
  const std::size_t colon = wanted.find(':');
  if (wanted.substr(0, colon) != place) return;
  static std::atomic<int> left{std::atoi(variable + colon + 1)};
  if (--left != 0) return;
  if (wanted.ends_with(":fail")) check(RD_KAFKA_RESP_ERR__INVALID_ARG, "the call at a failpoint");
  std::raise(wanted.ends_with(":stop") ? SIGSTOP : SIGKILL);
}

}  // namespace neardup
