#include "service/kafka/cluster/log/log_recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "pipeline/base/failure.h"
#include "pipeline/state_keys.h"
#include "service/kafka/cluster/log/batch_of_log.h"
#include "service/kafka/message/flag_codec.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/store/batch_text.h"
#include "service/kafka/store/chain.h"
#include "service/kafka/store/state_head.h"

namespace neardup {
namespace {

// What the deciders of the cluster have delivered.
struct Delivered {
  CommitMetadata mark;
  Position position;
};

bool same_place(const StateHead& head, const Delivered& delivered) {
  return head.positions.front() == delivered.position &&
         head.mark.next_seq == delivered.mark.next_seq;
}

bool is_behind(const StateHead& head, const Delivered& delivered) {
  return head.positions.front().offset <= delivered.position.offset &&
         head.mark.next_seq <= delivered.mark.next_seq && !same_place(head, delivered);
}

class LogRecovery {
 public:
  LogRecovery(const LogRecoveryOptions& options, Store& store, Consumer& consumer,
              Deliverer& deliverer, TopicWatch& topics, RetryPolicy& retry)
      : options_(options),
        store_(store),
        consumer_(consumer),
        deliverer_(deliverer),
        topics_(topics),
        retry_(retry) {}

  Recovered run() {
    const StateHead head = open_log_state(options_, store_);
    deliverer_.start();
    const std::optional<Delivered> delivered = read_delivered(head);
    if (!delivered) return {begin(head), {}, {}, {}};
    if (is_behind(head, *delivered)) return replay(head, *delivered);
    if (!same_place(head, *delivered)) return {deliver_rest(head, *delivered), {}, {}, {}};
    if (head.mark.chain != delivered->mark.chain) refuse_other_history(head, *delivered);
    return {take_over(head, delivered->mark), {}, {}, {}};
  }

 private:
  std::optional<Delivered> read_delivered(const StateHead& head) {
    const CommittedOffset committed =
        read_committed(consumer_, {{options_.log, 0}}, retry_).front();
    if (!committed.offset) return {};
    const auto mark = decode_mark(committed.metadata);
    const Position position{options_.log, *committed.offset};
    if (mark && mark->state == options_.cluster) {
      topics_.require(options_.log.topic, topic_id_of_mark(committed.metadata));
      return Delivered{*mark, position};
    }
    if (options_.trust_state) return {};
    refuse(
        fmt::format("{}: offset {}, \"{}\"", to_text(options_.log), *committed.offset,
                    committed.metadata),
        head,
        "the committed offset was not written by a decider of this cluster (was the group reset, "
        "or used by another program?)");
  }

  [[noreturn]] static void refuse(const std::string& committed, const StateHead& head,
                                  std::string_view what) {
    throw Failure(
        Exit::kUnavailable,
        fmt::format("state and Kafka disagree: {}.\n  state: {} at offset {}\n  committed "
                    "in Kafka: {}\nUse the directory of another decider of the cluster "
                    "that is right, or an empty one, which is built from the log; where "
                    "the state is right, start once with --trust-state.",
                    what, encode_mark(head.mark), head.positions.front().offset, committed));
  }

  [[noreturn]] static void refuse_other_history(const StateHead& head, const Delivered& delivered) {
    refuse(fmt::format("{}: offset {}, \"{}\"", to_text(delivered.position.partition),
                       delivered.position.offset, encode_mark(delivered.mark)),
           head, "both have decided the same records, and not with the same flags");
  }

  // Commits the place where the state begins, so that committed offsets exist as soon as a decider
  // has led.
  StateHead begin(const StateHead& head) {
    const bool is_new = head.mark.next_seq == options_.begin.next;
    if (!is_new && !options_.trust_state) {
      refuse(fmt::format("{}: nothing", to_text(options_.log)), head,
             "the committed offsets of the deciders are gone (expired, or deleted)");
    }
    DecidedBatch batch;
    batch.stored.to = head.positions;
    batch.stored.after = head.mark;
    const BatchScope scope(batch.stored);
    deliverer_.deliver(batch);
    return head;
  }

  // Another decider has delivered more: the log is decided again up to there.
  Recovered replay(const StateHead& head, const Delivered& delivered) {
    require_log(options_.log, head, consumer_, retry_);
    forget_outbox(head);
    return {head, StateHead{delivered.mark, {delivered.position}}, OrderFrom::kInput, {}};
  }

  // The state has decided more than was delivered: sends the rest as one batch. Its own batches may
  // have begun elsewhere.
  StateHead deliver_rest(const StateHead& head, const Delivered& delivered) {
    DecidedBatch batch;
    StoredBatch& rest = batch.stored;
    rest = rest_of_outbox(head, delivered);
    if (chain_over(rest, delivered.mark) != head.mark.chain) refuse_other_history(head, delivered);
    rest.before = delivered.mark;
    rest.from = {delivered.position};
    rest.to = head.positions;
    rest.after = head.mark;
    rest.after.batch = delivered.mark.batch + 1;
    const BatchScope scope(rest);
    deliverer_.deliver(batch);
    retry_.log().info("stored batch sent", {{"flags", rest.flags.size()}});
    return take_over(head, rest.after);
  }

  static std::string chain_over(const StoredBatch& batch, const CommitMetadata& from) {
    Chain chain(from.chain);
    std::string encoded;
    for (const Flag& flag : batch.flags) {
      encoded.clear();
      encode_flag(flag, encoded);
      chain.add(encoded);
    }
    return chain.digits();
  }

  // The flags that are not delivered, with their traces, and what the last batch says of the log.
  StoredBatch rest_of_outbox(const StateHead& head, const Delivered& delivered) {
    const Seq next = delivered.mark.next_seq;
    std::vector<StoredBatch> batches;
    for (std::uint64_t number = head.mark.batch;; --number) {
      auto stored = read_outbox(store_, number);
      if (!stored) refuse_missing(head, delivered);
      batches.push_back(*std::move(stored));
      if (batches.back().first_seq() <= next) break;
      if (number == 0) refuse_missing(head, delivered);
    }
    StoredBatch rest = batches.front();
    rest.flags.clear();
    rest.traces.clear();
    std::ranges::for_each(batches.rbegin(), batches.rend(),
                          [&](StoredBatch& one) { move_rest(one, next, rest); });
    if (std::ranges::none_of(rest.traces, [](const auto& trace) { return trace.has_value(); }))
      rest.traces.clear();
    begin_decided_at_flags(options_.cluster, rest);
    return rest;
  }

  static void move_rest(StoredBatch& from, Seq next, StoredBatch& rest) {
    from.traces.resize(from.flags.size());
    for (std::size_t i = 0; i < from.flags.size(); ++i) {
      if (from.flags[i].seq < next) continue;
      rest.flags.push_back(std::move(from.flags[i]));
      rest.traces.push_back(std::move(from.traces[i]));
    }
  }

  [[noreturn]] static void refuse_missing(const StateHead& head, const Delivered& delivered) {
    refuse(fmt::format("{}: offset {}, \"{}\"", to_text(delivered.position.partition),
                       delivered.position.offset, encode_mark(delivered.mark)),
           head, "the state holds more than was delivered, and no longer the flags between");
  }

  // Goes on from the mark that was delivered for the place of `head`.
  StateHead take_over(const StateHead& head, const CommitMetadata& mark) {
    WriteSet writes;
    writes.erase_outbox = outbox_up_to(store_, head.mark.batch);
    writes.meta.emplace_back(kMetaMark, encode_mark(mark));
    store_.commit(writes);
    return {mark, head.positions};
  }

  void forget_outbox(const StateHead& head) {
    WriteSet writes;
    writes.erase_outbox = outbox_up_to(store_, head.mark.batch);
    if (!writes.erase_outbox.empty()) store_.commit(writes);
  }

  const LogRecoveryOptions& options_;
  Store& store_;
  Consumer& consumer_;
  Deliverer& deliverer_;
  TopicWatch& topics_;
  RetryPolicy& retry_;
};

[[noreturn]] void refuse_foreign(std::string_view what) {
  throw Failure(Exit::kConfig,
                fmt::format("the state in storage.path {}. Use an empty directory, which is built "
                            "from the log, or make the cluster from this state: neardup cluster "
                            "init --from",
                            what));
}

}  // namespace

StateHead open_log_state(const LogRecoveryOptions& options, Store& store) {
  const Decided& begin = options.begin;
  if (const auto head = read_head(store)) {
    if (head->mark.state != options.cluster)
      refuse_foreign(
          fmt::format("is of {}, and the cluster is {}", head->mark.state, options.cluster));
    return *head;
  }
  const auto next = static_cast<Seq>(meta_number(store, kMetaNextSeq, 1));
  if (next == 1 && begin.next != 1) {
    throw Failure(
        Exit::kUnavailable,
        fmt::format("the state is empty, and the cluster was made from a state at seq {}, "
                    "whose documents are not in the log: restore a backup of a decider",
                    begin.next));
  }
  if (next != 1) {
    refuse_foreign(
        fmt::format("was not made from this cluster: it is at seq {}, and the cluster "
                    "began at seq {}",
                    next, begin.next));
  }
  StateHead head{{options.cluster, 0, begin.chain, begin.next}, {{options.log, begin.offset}}};
  WriteSet writes;
  writes.meta.emplace_back(kMetaLayout, options.layout);
  writes.meta.emplace_back(kMetaPositions, encode_positions(head.positions));
  writes.meta.emplace_back(kMetaMark, encode_mark(head.mark));
  writes.meta.emplace_back(kMetaLogState, encode_log_state(begin.log));
  store.commit(writes);
  return head;
}

void require_log(const TopicPartition& log, const StateHead& head, const Consumer& consumer,
                 RetryPolicy& retry) {
  const std::int64_t low = await_watermarks(consumer, log, retry).low;
  const std::int64_t offset = head.positions.front().offset;
  if (low <= offset) return;
  throw Failure(Exit::kUnavailable,
                fmt::format("the state is at offset {} of {}, which begins at {} now: records "
                            "between are gone. Restore a newer backup of a decider, and keep the "
                            "log longer (retention.ms)",
                            offset, to_text(log), low));
}

LogState read_log_state(Store& store) {
  const auto bytes = store.meta(kMetaLogState);
  auto state = bytes ? decode_log_state(*bytes) : std::nullopt;
  if (!state || state->next_seq != static_cast<Seq>(meta_number(store, kMetaNextSeq, 1))) {
    throw Failure(Exit::kIo,
                  "the state is damaged: how far it has read the log cannot be read; restore a "
                  "copy, or build a new state from the log");
  }
  return *std::move(state);
}

Recovered recover_log(const LogRecoveryOptions& options, Store& store, Consumer& consumer,
                      Deliverer& deliverer, TopicWatch& topics, RetryPolicy& retry) {
  return LogRecovery(options, store, consumer, deliverer, topics, retry).run();
}

}  // namespace neardup
