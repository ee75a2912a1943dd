// The source of the order of documents in a state: topics of Kafka, or requests. A state keeps to
// one of them, since Kafka could not repeat what came by the other.
#pragma once

#include <string_view>

#include "storage/store.h"

namespace neardup {

// Meta key, and its value in a state of requests; other states do not have it.
inline constexpr std::string_view kMetaOrder = "order";
inline constexpr std::string_view kOrderOfRequests = "requests";

// Both throw Failure(kConfig) for a state of the other kind. States of `scan` are of neither.
void require_order_of_requests(Store& store);
void require_order_of_topics(Store& store);

}  // namespace neardup
