#include "service/kafka/cluster/command/cluster_client.h"

#include <fmt/core.h>

#include "pipeline/base/failure.h"
#include "service/kafka/client/client_conf.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/cluster/cluster_topics.h"
#include "service/kafka/deliver/producer.h"
#include "service/kafka/start/start_rules.h"

namespace neardup {

ClusterClient::ClusterClient(const Config& config, Log& log, const std::atomic<bool>& stop)
    : config_(config),
      options_(decider_options(config)),
      events_(log),
      retry_([&stop] { return stop.load(); }, events_, log),
      consumer_(options_, events_) {}

std::int64_t ClusterClient::append(const std::string& topic, const std::string& message) {
  KafkaOptions options = options_;
  options.output_topic = topic;  // its only output
  options.dead_letter_topic.clear();
  options.order_topic.clear();
  DeliveryReport report;  // outlives the producer
  Producer producer(options, ClientRole::kIdempotent, retry_);
  OutgoingMessage outgoing;
  outgoing.value = message;
  producer.produce(outgoing, &report);
  while (report.error == RD_KAFKA_RESP_ERR__IN_PROGRESS) {
    if (retry_.stop()) throw Stopped();
    rd_kafka_poll(producer.handle(), kPollMs);
  }
  const std::string doing = fmt::format("writing to topic {}", topic);
  if (report.error == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED) {
    throw Failure(Exit::kConfig, missing_permission(options, "WRITE", "topic " + topic));
  }
  check(report.error, doing);
  return report.offset;
}

}  // namespace neardup
