#include "service/kafka/cluster/topic_reader.h"

#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/read/reading.h"

namespace neardup {

TopicReader::TopicReader(const Consumer& consumer, const std::string& topic, std::int64_t offset,
                         Log& log)
    : partition_{topic, 0},
      errors_(log, kBetweenReadErrors),
      reader_(consumer.read({{partition_, offset}})) {}

KafkaMessage TopicReader::poll(std::chrono::milliseconds wait) {
  while (KafkaMessage message = reader_->poll(static_cast<int>(wait.count()))) {
    switch (message->err) {
      case RD_KAFKA_RESP_ERR_NO_ERROR:
        return message;
      case RD_KAFKA_RESP_ERR__PARTITION_EOF:
        break;
      default:
        require_kept(*message);
        on_read_error(to_text(partition_), *message, errors_);
    }
  }
  return nullptr;
}

}  // namespace neardup
