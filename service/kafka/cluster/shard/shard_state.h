// The position and identity in the state of a shard, in addition to documents and ids; without
// Kafka.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "service/cluster/decided.h"
#include "service/cluster/placement.h"
#include "service/kafka/cluster/log/undecided_log.h"
#include "service/kafka/message/commit_metadata.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/message/topic_ids.h"
#include "storage/store.h"

namespace neardup {

class ServiceRunner;
struct ClusterHead;

// Meta keys of a shard's state: its number, the offset of the next message of the topic of
// decisions, and the placement that holds, as a message; empty: the first one.
inline constexpr std::string_view kMetaShard = "cluster/shard";
inline constexpr std::string_view kMetaDecisions = "cluster/decisions";
inline constexpr std::string_view kMetaPlacement = "cluster/placement";

// Whose state it has to be.
struct ShardIdentity {
  std::string cluster;  // uuid
  std::uint32_t shard = 0;
  TopicPartition log;
  std::string layout;  // layout_text
  TopicIds ids = {};   // of the log and the topic of decisions
};

// How far a state is: its last decided batch.
struct ShardPlace {
  LogPlace log;
  Placement placement;         // of the next record
  std::int64_t decisions = 0;  // offset of the next message of the topic of decisions
  Seq next = 1;                // the first record that is not decided
  std::string chain;           // over the flags of those before
};

// The place behind a message of the topic of decisions.
ShardPlace place_behind(const Decided& decided, std::int64_t offset, Placement placement);

// Where the state of `runner` is. A new one begins at the last decided record where the placement
// there does not name its shard, and else, since documents of it must be there, with the first
// record of the cluster. A state that the cluster was made from, or a decider's, becomes shard 0.
// Throws as read_shard_place and require_adoptable do, Failure(kUnavailable) with both offsets when
// the log or the topic of decisions no longer has what follows, and Stopped.
ShardPlace open_shard_state(const ShardIdentity& identity, const ClusterHead& head,
                            ServiceRunner& runner);

// Nothing: it is not a shard's yet. Throws Failure(kConfig) with both sides when it is another
// shard's, or of another cluster, and Failure(kIo) when it is damaged.
std::optional<ShardPlace> read_shard_place(const ShardIdentity& identity, Store& store);

// Has nothing been kept in the state yet?
bool is_new_state(Store& store);

// The mark of a state that may become a shard's: one that the cluster was made from, or a
// decider's of this cluster, which become shard 0. Throws Failure(kConfig) for any other, and
// Failure(kUnavailable) while flags of it may not be delivered.
CommitMetadata require_adoptable(const ShardIdentity& identity, Store& store);

// To be committed with the changes up to the place.
void put_shard_place(const ShardIdentity& identity, const ShardPlace& place, WriteSet& writes);

// For a new state: the values that Shard reads, as of the place behind `decided`.
void put_begin(const Decided& decided, const Rule& rule, WriteSet& writes);

}  // namespace neardup
