#include "service/http/spool_budget.h"

namespace neardup {

bool SpoolBudget::take(Place place, std::uint64_t bytes) {
  std::atomic<std::uint64_t>& used = used_of(place);
  const std::uint64_t most = limit(place);
  std::uint64_t now = used;
  do {
    if (now > most || bytes > most - now) return false;
  } while (!used.compare_exchange_weak(now, now + bytes));
  return true;
}

}  // namespace neardup
