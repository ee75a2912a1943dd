// POST /v1/similar.
#pragma once

#include <cstdint>

#include "config/service_options.h"
#include "service/control/shared.h"
#include "service/http/route.h"
#include "service/http/spool.h"

namespace neardup {

// Bytes of one answer, for more of which there is 413.
inline constexpr std::uint64_t kMostSimilarAnswer = std::uint64_t{256} << 20;

// `options` say which engines the service has. Answers take room of `budget`. Requires: the server
// of the route is destroyed before `searches` and `budget`.
HttpRoute similar_route(Searches& searches, const SearchOptions& options, SpoolBudget& budget);

}  // namespace neardup
