#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/cluster/decisions_reader.h"
#include "service/kafka/cluster/log/log_reader.h"
#include "service/kafka/cluster/shard/shard_state.h"
#include "service/serve/service_runner.h"

namespace neardup {
namespace {

class ShardStart {
 public:
  ShardStart(const ShardIdentity& identity, const ClusterHead& head, ServiceRunner& runner)
      : identity_(identity),
        head_(head),
        rule_(runner.context().rule),
        options_(runner.context().config.cluster),
        store_(runner.store()),
        consumer_(runner.kafka().consumer),
        retry_(runner.kafka().reading) {}

  ShardPlace run() {
    auto place = read_shard_place(identity_, store_);
    if (!place) place = is_new_state(store_) ? begin() : adopt();
    require_messages_from(consumer_, options_.log_topic(), place->log.offset, "the shard", retry_);
    require_messages_from(consumer_, options_.decisions_topic(), place->decisions, "the shard",
                          retry_);
    return *std::move(place);
  }

 private:
  ShardPlace begin() {
    const Placement now = placement_of(head_.last);
    const bool is_named = std::ranges::binary_search(now.answering, identity_.shard);
    if (is_named) require_first();
    const Decided& from = is_named ? head_.first : head_.last;
    const std::int64_t behind = is_named ? head_.begin : head_.end;
    ShardPlace place = place_behind(from, behind - 1, is_named ? placement_of(from) : now);
    WriteSet writes;
    put_begin(from, rule_, writes);
    commit(place, writes);
    return place;
  }

  // The documents of this shard are those decided so far that were its own.
  void require_first() const {
    if (head_.low > 0) {
      throw Failure(Exit::kUnavailable,
                    fmt::format("the state is empty, the cluster has documents in shard {}, and "
                                "the topic {} begins at offset {}, so that they cannot be had from "
                                "the log: restore a backup of the shard",
                                identity_.shard, options_.decisions_topic(), head_.low));
    }
    if (identity_.shard != 0 || head_.first.next == 1) return;
    throw Failure(
        Exit::kUnavailable,
        fmt::format("the state is empty, and the cluster was made from a state at seq {}, whose "
                    "documents are those of shard 0: use its directory, or restore a backup of it",
                    head_.first.next));
  }

  // Of a state with all that was decided up to a record.
  ShardPlace adopt() {
    const CommitMetadata mark = require_adoptable(identity_, store_);
    ShardPlace place = find(mark);
    WriteSet writes;
    commit(place, writes);
    return place;
  }

  ShardPlace find(const CommitMetadata& mark) {
    if (head_.first.next == mark.next_seq) return checked(head_.first, head_.begin - 1, mark);
    DecisionsReader reader(consumer_, options_, head_.uuid, head_.begin, retry_.log());
    for (std::int64_t at = head_.begin; at < head_.end;) {
      if (retry_.stop()) throw Stopped();
      const auto message = reader.poll(kPoll);
      if (!message) continue;
      at = message->offset + 1;
      if (message->decided.next == mark.next_seq)
        return checked(message->decided, message->offset, mark);
      if (message->decided.next > mark.next_seq) break;
    }
    throw Failure(
        Exit::kUnavailable,
        fmt::format("the state is at record {}, where no decided batch of the topic {} "
                    "ends, which begins at record {} and ends at record {}",
                    mark.next_seq, options_.decisions_topic(), head_.first.next, head_.last.next));
  }

  ShardPlace checked(const Decided& decided, std::int64_t offset, const CommitMetadata& mark) {
    if (decided.chain == mark.chain) return place_behind(decided, offset, placement_of(decided));
    throw Failure(Exit::kUnavailable,
                  fmt::format("state and cluster have decided the records before {} differently: "
                              "the chain of the state is {}, and that of the cluster {}",
                              mark.next_seq, mark.chain, decided.chain));
  }

  Placement placement_of(const Decided& decided) const {
    return placement_at(consumer_, options_, head_, decided, rule_, retry_);
  }

  void commit(const ShardPlace& place, WriteSet& writes) {
    put_shard_place(identity_, place, writes);
    store_.commit(writes);
  }

  const ShardIdentity& identity_;
  const ClusterHead& head_;
  const Rule& rule_;
  const ClusterOptions& options_;
  Store& store_;
  const Consumer& consumer_;
  RetryPolicy& retry_;
};

}  // namespace

ShardPlace open_shard_state(const ShardIdentity& identity, const ClusterHead& head,
                            ServiceRunner& runner) {
  return ShardStart(identity, head, runner).run();
}

}  // namespace neardup
