#include "service/kafka/cluster/command/cluster_place.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/kafka/cluster/command/shard_reports.h"
#include "service/kafka/cluster/log/log_reader.h"
#include "service/kafka/read/reading.h"

namespace neardup {
namespace {

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
    throw Failure(Exit::kUsage,
                  fmt::format("shard {} is to take new documents, so it must answer, too", shard));
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
      fmt::format("no placement is written: within {} s, these shards have not shown that "
                  "they are at work and have applied what was decided before: {}. Start "
                  "them and wait until they are ready, or place without waiting (--wait "
                  "0): then records wait until they answer",
                  wait.count(), fmt::join(missing, ",")));
}

}  // namespace

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
                  fmt::format("another placement {} was first, so this one is void. `neardup "
                              "cluster status` shows the one that holds",
                              placed.placement.epoch));
  }
  placed.from = after.state.next_seq;
  return placed;
}

}  // namespace neardup
