#include "service/kafka/cluster/command/cluster_place.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/cluster/answer_codec.h"
#include "service/cluster/placement.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/cluster/log/log_reader.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/read/topic_scan.h"

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
        scan_(client.consumer().read(positions(shards, offset)), client.retry().log()) {}

  // Takes the next message, if one comes soon. Returns the shard whose partition it was, or that
  // ends here.
  std::optional<std::uint32_t> poll() {
    if (client_.retry().stop()) throw Stopped();
    const KafkaMessage message = scan_.poll(std::chrono::milliseconds(kPollMs));
    if (!message || message->err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET) return {};
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) take(*message);
    return static_cast<std::uint32_t>(message->partition);
  }

  const ShardReports& reports() const { return reports_; }

 private:
  Positions positions(const std::vector<std::uint32_t>& shards, std::int64_t offset) const {
    Positions positions;
    for (const std::uint32_t shard : shards)
      positions.push_back({{topic_, static_cast<std::int32_t>(shard)}, offset});
    return positions;
  }

  void take(const rd_kafka_message_t& message) {
    if (codec_.decode(value_of(message), decoded_) != FrameOutcome::kOpened) return;
    if (static_cast<std::int32_t>(decoded_.shard) != message.partition) return;
    reports_[decoded_.shard] = {decoded_.answer.as_of,
                                rd_kafka_message_timestamp(&message, nullptr)};
  }

  ClusterClient& client_;
  const std::string topic_;
  const AnswerCodec codec_;
  ShardAnswers decoded_;
  ShardReports reports_;
  TopicScan scan_;
};

// Waits until each of `shards` has written another answer, as of `seq` or later. Returns the shards
// that have not in time.
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

bool scan_all(const LogPart&) { return false; }

Placement successor(const PlacementChange& change, std::uint64_t epoch, const Placement& before) {
  Placement next;
  next.epoch = epoch + 1;
  next.active = change.active;
  next.answering = change.answering.value_or(before.answering);
  if (!change.answering) std::ranges::copy(next.active, std::back_inserter(next.answering));
  std::ranges::sort(next.answering);
  const auto repeated = std::ranges::unique(next.answering);
  next.answering.erase(repeated.begin(), repeated.end());
  for (const std::uint32_t shard : next.active) {
    if (std::ranges::binary_search(next.answering, shard)) continue;
    throw Failure(
        Exit::kUsage,
        fmt::format("shard {} is to accept new documents, so it must also answer", shard));
  }
  return next;
}

// Records would wait for shards that are not there.
void await_shards(ClusterClient& client, const Rule& rule, const ClusterHead& head,
                  const std::vector<std::uint32_t>& answering, const Placement& next,
                  std::chrono::seconds wait) {
  std::vector<std::uint32_t> added;
  std::ranges::set_difference(next.answering, answering, std::back_inserter(added));
  if (wait.count() == 0 || added.empty()) return;
  const auto missing = await_reports(client, rule, head.uuid, added, head.last.next - 1, wait);
  if (missing.empty()) return;
  throw Failure(
      Exit::kUnavailable,
      fmt::format("no placement is written: within {} s, these shards have not shown that they run "
                  "and have applied all decisions: {}. Start them and wait until they are ready, "
                  "or place without waiting (--wait 0): then records wait until they answer",
                  wait.count(), fmt::join(missing, ",")));
}

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

std::optional<Placement> placement_in_force(ClusterClient& client, const ClusterHead& head,
                                            const LogPart& ahead, const Rule& rule) {
  if (ahead.placement || ahead.state.epoch == 0) return ahead.placement;
  return find_placement(client.consumer(), client.config().cluster, head, ahead.state.epoch, rule,
                        client.retry());
}

Placed place(ClusterClient& client, const Rule& rule, const PlacementChange& change) {
  const ClusterOptions& options = client.config().cluster;
  const TopicPartition log{options.log_topic(), 0};
  const ClusterHead head = read_cluster_head(client.consumer(), options, rule, client.retry());
  const auto scan_to = [&](std::int64_t end) {
    return scan_log(client.consumer(), log.topic, head.last, end, rule, head.uuid, scan_all,
                    client.retry());
  };
  const LogPart ahead = scan_to(await_watermarks(client.consumer(), log, client.retry()).high);
  const auto before = placement_in_force(client, head, ahead, rule);
  if (!before && ahead.state.epoch > 0 && !change.answering) {
    throw Failure(Exit::kUsage,
                  fmt::format("the log no longer has placement {}, so it is not known which shards "
                              "answer: give them with --answering",
                              ahead.state.epoch));
  }
  const Placement holds = before.value_or(first_placement());
  Placed placed{successor(change, ahead.state.epoch, holds), 0};
  await_shards(client, rule, head, holds.answering, placed.placement, change.wait);
  const std::int64_t offset =
      client.append(log.topic, encode_placement(head.uuid, placed.placement));
  const LogPart after = scan_to(offset + 1);
  if (after.placement != placed.placement) {
    throw Failure(Exit::kUnavailable,
                  fmt::format("another placement {} came first, so this one has no effect. "
                              "`neardup cluster status` shows the current one",
                              placed.placement.epoch));
  }
  placed.from = after.state.next_seq;
  return placed;
}

}  // namespace neardup
