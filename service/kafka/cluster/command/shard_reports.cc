#include "service/kafka/cluster/command/shard_reports.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

#include "service/cluster/answer_codec.h"
#include "service/cluster/placement.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/read/reading.h"

namespace neardup {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kForLast{5};  // a partition may be without a leader for long

class ReportReader {
 public:
  // `offset`: of each partition.
  ReportReader(ClusterClient& client, const Rule& rule, const std::string& cluster,
               const std::vector<std::uint32_t>& shards, std::int64_t offset)
      : client_(client),
        topic_(client.config().cluster.answers_topic()),
        codec_(rule, cluster),
        errors_(client.retry().log(), kBetweenReadErrors) {
    Positions positions;
    for (const std::uint32_t shard : shards)
      positions.push_back({{topic_, static_cast<std::int32_t>(shard)}, offset});
    reader_ = client.consumer().read(positions);
  }

  // Takes the next message, if one comes soon. Returns the shard whose partition it was, or that
  // ends here.
  std::optional<std::uint32_t> poll() {
    if (client_.retry().stop()) throw Stopped();
    const KafkaMessage message = reader_->poll(kPollMs);
    if (!message) return {};
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
      take(*message);
    } else if (message->err != RD_KAFKA_RESP_ERR__PARTITION_EOF) {
      on_read_error(topic_, *message, errors_);
      return {};
    }
    return static_cast<std::uint32_t>(message->partition);
  }

  const ShardReports& reports() const { return reports_; }

 private:
  void take(const rd_kafka_message_t& message) {
    const std::string_view value(static_cast<const char*>(message.payload), message.len);
    if (codec_.decode(value, decoded_) != FrameOutcome::kOpened) return;
    if (static_cast<std::int32_t>(decoded_.shard) != message.partition) return;
    reports_[decoded_.shard] = {decoded_.answer.as_of,
                                rd_kafka_message_timestamp(&message, nullptr)};
  }

  ClusterClient& client_;
  const std::string topic_;
  const AnswerCodec codec_;
  RateLimitedLog errors_;
  ShardAnswers decoded_;
  ShardReports reports_;
  std::unique_ptr<PartitionReader> reader_;
};

}  // namespace

ShardReports last_reports(ClusterClient& client, const Rule& rule, const std::string& cluster) {
  std::vector<std::uint32_t> all(kMostShards);
  std::iota(all.begin(), all.end(), 0);
  ReportReader reader(client, rule, cluster, all, RD_KAFKA_OFFSET_TAIL(1));
  std::set<std::uint32_t> open(all.begin(), all.end());
  const auto deadline = steady_clock::now() + kForLast;
  while (!open.empty() && steady_clock::now() < deadline) {
    if (const auto shard = reader.poll()) open.erase(*shard);
  }
  return reader.reports();
}

std::vector<std::uint32_t> await_reports(ClusterClient& client, const Rule& rule,
                                         const std::string& cluster,
                                         const std::vector<std::uint32_t>& shards, Seq seq,
                                         std::chrono::seconds time) {
  std::vector<std::uint32_t> missing = shards;
  if (missing.empty()) return missing;
  ReportReader reader(client, rule, cluster, shards, RD_KAFKA_OFFSET_END);
  const auto deadline = steady_clock::now() + time;
  while (!missing.empty() && steady_clock::now() < deadline) {
    reader.poll();
    std::erase_if(missing, [&](std::uint32_t shard) {
      const auto found = reader.reports().find(shard);
      return found != reader.reports().end() && found->second.as_of >= seq;
    });
  }
  return missing;
}

}  // namespace neardup
