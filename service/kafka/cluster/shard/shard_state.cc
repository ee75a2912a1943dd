#include "service/kafka/cluster/shard/shard_state.h"

#include <fmt/format.h>

#include <utility>

#include "pipeline/base/failure.h"
#include "pipeline/state_keys.h"
#include "service/kafka/store/state_head.h"

namespace neardup {
namespace {

[[noreturn]] void refuse(std::string_view what) {
  throw Failure(Exit::kConfig,
                fmt::format("the state in storage.path {}. Use the directory of this shard, or an "
                            "empty one",
                            what));
}

[[noreturn]] void damaged(std::string_view what) {
  throw Failure(Exit::kIo,
                fmt::format("the state is damaged: {} cannot be read; restore a backup of the "
                            "shard",
                            what));
}

void require_cluster(const ShardIdentity& identity, const CommitMetadata& mark) {
  if (mark.state == identity.cluster) return;
  refuse(fmt::format("is of {}, and the cluster is {}", mark.state, identity.cluster));
}

// Offsets mean nothing in another Kafka cluster.
void require_layout(const ShardIdentity& identity, Store& store) {
  const std::string stored = store.meta(kMetaLayout).value_or("");
  if (stored == identity.layout) return;
  throw Failure(Exit::kConfig,
                fmt::format("the state was made by a shard of another layout.\nThe state:\n{}The "
                            "configuration:\n{}",
                            stored, identity.layout));
}

Placement stored_placement(const ShardIdentity& identity, Store& store) {
  const std::string bytes = store.meta(kMetaPlacement).value_or("");
  if (bytes.empty()) return first_placement();
  const OpenedLogMessage opened = open_log_message(bytes, identity.cluster);
  Placement placement;
  if (opened.outcome != LogOutcome::kPlacement ||
      decode_placement(opened.body, placement) != LogOutcome::kPlacement) {
    damaged("its placement");
  }
  return placement;
}

}  // namespace

ShardPlace place_behind(const Decided& decided, std::int64_t offset, Placement placement) {
  return {.log = {decided.offset, decided.log},
          .placement = std::move(placement),
          .decisions = offset + 1,
          .next = decided.next,
          .chain = decided.chain};
}

std::optional<ShardPlace> read_shard_place(const ShardIdentity& identity, Store& store) {
  const auto head = read_head(store);
  if (!head || !store.meta(kMetaShard)) return {};
  require_cluster(identity, head->mark);
  const std::int64_t shard = meta_number(store, kMetaShard, -1);
  if (shard != identity.shard) {
    refuse(fmt::format("is of shard {} of the cluster {}, and `cluster.shard` is {}", shard,
                       identity.cluster, identity.shard));
  }
  require_layout(identity, store);
  auto state = decode_log_state(store.meta(kMetaLogState).value_or(""));
  if (!state) damaged("how far it has read the log");
  return ShardPlace{.log = {head->positions.front().offset, *std::move(state)},
                    .placement = stored_placement(identity, store),
                    .decisions = meta_number(store, kMetaDecisions, 0),
                    .next = head->mark.next_seq,
                    .chain = head->mark.chain};
}

bool is_new_state(Store& store) {
  return !store.meta(kMetaMark) && meta_number(store, kMetaNextSeq, 1) == 1;
}

CommitMetadata require_adoptable(const ShardIdentity& identity, Store& store) {
  const auto head = read_head(store);
  if (!head) {
    refuse(
        "holds documents that are not of the cluster. To make a cluster of this state: neardup "
        "cluster init --from");
  }
  require_cluster(identity, head->mark);
  if (identity.shard != 0) {
    refuse(
        fmt::format("has all documents that the cluster had decided up to record {}. It becomes "
                    "shard 0, and `cluster.shard` is {}",
                    head->mark.next_seq, identity.shard));
  }
  if (store.outbox(head->mark.batch)) {
    throw Failure(Exit::kUnavailable,
                  "the state is a decider's whose last flags may not be delivered: start the "
                  "decider once more, and stop it with SIGTERM");
  }
  return head->mark;
}

void put_shard_place(const ShardIdentity& identity, const ShardPlace& place, WriteSet& writes) {
  const auto put = [&](std::string_view key, std::string value) {
    writes.meta.emplace_back(key, std::move(value));
  };
  put(kMetaLayout, identity.layout);
  put(kMetaMark, encode_mark({identity.cluster, 0, place.chain, place.next}));
  put(kMetaPositions, encode_positions({{identity.log, place.log.offset}}));
  put(kMetaTopicIds, encode_topic_ids(identity.ids));
  put(kMetaLogState, encode_log_state(place.log.state));
  put(kMetaShard, fmt::to_string(identity.shard));
  put(kMetaDecisions, fmt::to_string(place.decisions));
  put(kMetaPlacement, place.placement.epoch == 0
                          ? std::string()
                          : encode_placement(identity.cluster, place.placement));
}

void put_begin(const Decided& decided, const Rule& rule, WriteSet& writes) {
  writes.expired_before = decided.watermark;
  writes.meta.emplace_back(kMetaRule, rule_text(rule));
  writes.meta.emplace_back(kMetaNextSeq, fmt::to_string(decided.next));
  writes.meta.emplace_back(kMetaStreamTime, fmt::to_string(decided.stream_ms));
  writes.meta.emplace_back(kMetaStreamBegan, fmt::to_string(decided.began_ms));
  if (decided.watermark != 0)
    writes.meta.emplace_back(kMetaExpiredBefore, fmt::to_string(decided.watermark));
}

}  // namespace neardup
