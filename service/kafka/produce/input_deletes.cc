#include "service/kafka/produce/input_deletes.h"

#include <fmt/core.h>

#include <algorithm>

#include "pipeline/base/failure.h"
#include "service/kafka/message/message_decoder.h"
#include "service/kafka/produce/input_writer.h"

namespace neardup {
namespace {

OutgoingMessage delete_message(const std::string& name_space, const std::string& id) {
  OutgoingMessage message;
  message.key = id;
  if (!name_space.empty()) message.headers.push_back({std::string(kNamespaceHeader), name_space});
  return message;
}

}  // namespace

InputDeletes::InputDeletes(const Config& config, const std::atomic<bool>& abandoned, Log& log)
    : options_(options_of_writer(config.kafka)),
      abandoned_(abandoned),
      events_(log),
      retry_([this] { return abandoned_.load(); }, events_, log) {}

void InputDeletes::write(const std::string& name_space, const std::vector<std::string>& ids) {
  const MutexLock lock(mutex_);
  std::vector<DeliveryReport> reports(ids.size());
  rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR_NO_ERROR;
  try {
    if (!producer_)
      producer_ = std::make_unique<Producer>(options_, ClientRole::kIdempotent, retry_);
    for (std::size_t i = 0; i < ids.size(); ++i)
      producer_->produce(delete_message(name_space, ids[i]), &reports[i]);
  } catch (const KafkaError& failure) {
    error = failure.code();
  } catch (const Stopped&) {
    error = RD_KAFKA_RESP_ERR__DESTROY;
  }
  if (producer_) flush(*producer_, abandoned_);
  for (const DeliveryReport& report : reports) {
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) error = report.error;
  }
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return;
  producer_.reset();
  throw Failure(Exit::kUnavailable,
                fmt::format("not all deletes could be written to the topic {} ({}): some may be "
                            "there. Send all of them again",
                            options_.output_topic, rd_kafka_err2str(error)));
}

}  // namespace neardup
