#include "service/state/state_order.h"

#include "pipeline/base/failure.h"
#include "service/kafka/store/state_head.h"

namespace neardup {

void require_order_of_requests(Store& store) {
  if (!store.meta(kMetaMark)) return;
  throw Failure(
      Exit::kConfig,
      "the state belongs to a service that reads Kafka: its documents are in the order of "
      "topics, which requests would break; use another --state, or set kafka.brokers");
}

void require_order_of_topics(Store& store) {
  if (!store.meta(kMetaOrder)) return;
  throw Failure(
      Exit::kConfig,
      "the state belongs to a service without Kafka: its documents came over HTTP, and no "
      "topic could repeat them; use another storage.path, or set source: http");
}

}  // namespace neardup
