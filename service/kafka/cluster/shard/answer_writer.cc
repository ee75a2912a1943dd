#include "service/kafka/cluster/shard/answer_writer.h"

#include <fmt/core.h>

#include <utility>

#include "pipeline/base/failure.h"

namespace neardup {

KafkaOptions options_of_answers(const KafkaOptions& options, const ClusterOptions& cluster) {
  KafkaOptions answers = options;
  answers.output_topic = cluster.answers_topic();
  answers.dead_letter_topic.clear();
  answers.order_topic.clear();
  answers.guarantee = Guarantee::kAtLeastOnce;
  return answers;
}

AnswerWriter::AnswerWriter(const KafkaOptions& options, const Rule& rule,
                           const std::string& cluster, std::uint32_t shard, RetryPolicy& retry)
    : topic_(options.output_topic),
      shard_(shard),
      codec_(rule, cluster),
      producer_(options, ClientRole::kIdempotent, retry) {}

std::size_t AnswerWriter::write(Answer answer) {
  OutgoingMessage message;
  message.value = codec_.encode({shard_, std::move(answer)});
  message.partition = static_cast<std::int32_t>(shard_);
  const std::size_t bytes = message.value->size();
  producer_.produce(message, &reports_.emplace_back());
  return bytes;
}

void AnswerWriter::poll() {
  rd_kafka_poll(producer_.handle(), 0);
  while (!reports_.empty() && reports_.front().error != RD_KAFKA_RESP_ERR__IN_PROGRESS) {
    const rd_kafka_resp_err_t error = reports_.front().error;
    if (error == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE) {
      throw Failure(
          Exit::kConfig,
          fmt::format("topic {} rejects an answer as too large: raise its max.message.bytes",
                      topic_));
    }
    check(error, "answering");
    reports_.pop_front();
  }
}

}  // namespace neardup
