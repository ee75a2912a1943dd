#include "service/kafka/cluster/command/cluster_status.h"

#include <algorithm>

#include "pipeline/base/failure.h"
#include "service/cluster/file_source_name.h"
#include "service/kafka/cluster/command/cluster_place.h"
#include "service/kafka/cluster/log/log_reader.h"
#include "service/kafka/deliver/deliverer.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/start/topic_admin.h"

namespace neardup {
namespace {

constexpr std::uint64_t kMostScanned = 1000;  // messages of the log

class StatusReader {
 public:
  StatusReader(ClusterClient& client, const Rule& rule)
      : client_(client), rule_(rule), options_(client.config().cluster) {}

  ClusterStatus read() {
    status_.head = read_cluster_head(client_.consumer(), options_, rule_, client_.retry());
    read_log();
    read_shards();
    read_sources();
    status_.deciders = members_of(options_.lease_group());
    if (const std::string& group = client_.config().kafka.group_id; !group.empty()) {
      status_.group = group;
      status_.sketchers = members_of(group);
    }
    return std::move(status_);
  }

 private:
  void read_log() {
    const ClusterHead& head = status_.head;
    const TopicPartition log{options_.log_topic(), 0};
    status_.log = await_watermarks(client_.consumer(), log, client_.retry());
    const auto enough = [](const LogPart& part) { return part.messages >= kMostScanned; };
    const LogPart ahead = scan_log(client_.consumer(), log.topic, head.last, status_.log.high,
                                   rule_, head.uuid, enough, client_.retry());
    status_.epoch = ahead.state.epoch;
    status_.placement = placement_in_force(client_, head, ahead, rule_);
    status_.waiting = waiting(ahead);
  }

  ClusterStatus::Waiting waiting(const LogPart& ahead) const {
    const Decided& last = status_.head.last;
    ClusterStatus::Waiting waiting;
    waiting.messages =
        static_cast<std::uint64_t>(std::max<std::int64_t>(status_.log.high - last.offset, 0));
    // Records below `next` of the first message are decided already.
    waiting.records = std::max(ahead.state.next_seq, last.next) - last.next;
    waiting.bytes = ahead.bytes;
    waiting.estimated = ahead.messages > 0 && ahead.offset < status_.log.high;
    if (!waiting.estimated) return waiting;
    const double share =
        static_cast<double>(waiting.messages) / static_cast<double>(ahead.messages);
    waiting.records = static_cast<std::uint64_t>(share * static_cast<double>(waiting.records));
    waiting.bytes = static_cast<std::uint64_t>(share * static_cast<double>(waiting.bytes));
    return waiting;
  }

  void read_shards() {
    try {
      status_.shards = last_reports(client_, rule_, status_.head.uuid);
    } catch (const Failure& denied) {
      client_.retry().log().warning("shards not shown", {{"reason", denied.what()}});
    }
  }

  // Those that the log has, and those of the configuration.
  void read_sources() {
    for (const Position& position : status_.head.last.log.positions)
      status_.sources.push_back({position.partition, position.offset, {}, {}});
    const auto counts =
        await_partition_counts(client_.consumer(), client_.config().kafka.topics, client_.retry());
    for (const auto& [topic, count] : counts) {
      for (std::int32_t partition = 0; partition < count; ++partition) {
        if (source_of({topic, partition}) == nullptr)
          status_.sources.push_back({{topic, partition}, {}, {}, {}});
      }
    }
    std::ranges::sort(status_.sources, {}, &ClusterStatus::Source::partition);
    read_ends();
    read_committed_offsets();
  }

  ClusterStatus::Source* source_of(const TopicPartition& partition) {
    const auto found =
        std::ranges::find(status_.sources, partition, &ClusterStatus::Source::partition);
    return found == status_.sources.end() ? nullptr : &*found;
  }

  // One by one: a topic may be gone.
  void read_ends() {
    for (ClusterStatus::Source& source : status_.sources) {
      if (is_file_source(source.partition.topic)) continue;
      try {
        source.end = client_.consumer().watermarks(source.partition).high;
      } catch (const KafkaError&) {
      }
    }
  }

  void read_committed_offsets() {
    if (client_.config().kafka.group_id.empty() || status_.sources.empty()) return;
    const Consumer sketchers(client_.config().kafka, client_.events());
    Positions asked;
    for (const ClusterStatus::Source& source : status_.sources) {
      if (source.end) asked.push_back({source.partition, 0});
    }
    if (asked.empty()) return;
    for (const CommittedOffset& one : read_committed(sketchers, asked, client_.retry()))
      source_of(one.partition)->committed = one.offset;
  }

  ClusterStatus::Members members_of(const std::string& group) {
    std::vector<MemberOfGroup> members;
    client_.retry().until_done("looking up the groups", [&] {
      members = members_of_group(client_.consumer().handle(), group);
    });
    ClusterStatus::Members found{members.size(), {}};
    const auto leader = std::ranges::find_if(
        members, [](const MemberOfGroup& member) { return member.partitions > 0; });
    if (leader != members.end()) found.leader = leader->host;
    return found;
  }

  ClusterClient& client_;
  const Rule& rule_;
  const ClusterOptions& options_;
  ClusterStatus status_;
};

}  // namespace

ClusterStatus read_cluster_status(ClusterClient& client, const Rule& rule) {
  return StatusReader(client, rule).read();
}

}  // namespace neardup
