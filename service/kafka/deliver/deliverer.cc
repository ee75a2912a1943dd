#include "service/kafka/deliver/deliverer.h"

#include <fmt/core.h>

#include <algorithm>

#include "pipeline/base/failure.h"
#include "pipeline/stage_clock.h"
#include "service/failpoint.h"
#include "service/kafka/message/dead_letter.h"
#include "service/kafka/message/message_writer.h"
#include "service/kafka/store/order_message.h"
#include "service/log/clock.h"

namespace neardup {
namespace {

constexpr unsigned kManyFailures = 3;  // until not ready
constexpr std::chrono::milliseconds kFirstPause{200};
constexpr std::chrono::milliseconds kLongestPause{5000};

// Are exactly these positions committed, all with this mark?
bool matches(const std::vector<CommittedOffset>& committed, const Positions& positions,
             const CommitMetadata& mark) {
  for (const CommittedOffset& one : committed) {
    const Position* position = find(positions, one.partition);
    if (position == nullptr) {
      if (one.offset) return false;
    } else if (one.offset != position->offset || decode_mark(one.metadata) != mark) {
      return false;
    }
  }
  return true;
}

// Writes a debug line for a dead letter, which shows the source of its message. `trace`: of that
// message, or null.
void log_dead_letter(const OutgoingMessage& letter, const Flag& flag, const TopicPartition& from,
                     const TraceContext* trace, Log& log) {
  const std::string partition = to_text(from);
  std::vector<LogField> fields = {{"reason", dead_letter_reason(letter)},
                                  {"partition", partition},
                                  {"offset", flag.source.place},
                                  {"seq", flag.seq}};
  if (trace != nullptr) fields.emplace_back("record_trace_id", trace_id(trace->traceparent));
  log.write(LogLevel::kDebug, "dead letter", fields);
}

bool nothing_in(const std::vector<CommittedOffset>& committed) {
  return std::ranges::none_of(committed, [](const auto& one) { return one.offset.has_value(); });
}

AbortReason reason_of(ErrorClass error_class) {
  switch (error_class) {
    case ErrorClass::kRetriable:
      return AbortReason::kRetriable;
    case ErrorClass::kAbortable:
      return AbortReason::kAbortable;
    case ErrorClass::kFatal:
      return AbortReason::kFatal;
    case ErrorClass::kExpired:
      return AbortReason::kExpired;
    case ErrorClass::kFenced:
      return AbortReason::kFenced;
    case ErrorClass::kDenied:
      return AbortReason::kDenied;
  }
  return AbortReason::kFatal;
}

// Throws for errors that a new sender would not get over.
void give_up_on(const KafkaError& error) {
  if (error.error_class() == ErrorClass::kFenced) {
    throw Failure(
        Exit::kUnavailable,
        fmt::format("another instance has taken over ({}); shutting down, no data is lost",
                    error.what()));
  }
  if (error.error_class() == ErrorClass::kDenied) {
    throw Failure(Exit::kConfig,
                  fmt::format("kafka: {}. Grant the permission (docs/operations.md lists them)",
                              error.what()));
  }
}

}  // namespace

std::vector<CommittedOffset> read_committed(const Consumer& consumer, const Positions& positions,
                                            RetryPolicy& retry) {
  std::vector<TopicPartition> partitions;
  for (const Position& position : positions) partitions.push_back(position.partition);
  std::vector<CommittedOffset> committed;
  retry.until_done("reading committed offsets",
                   [&] { committed = consumer.committed(partitions); });
  return committed;
}

Deliverer::Deliverer(DelivererOptions options, Consumer& consumer, const TopicWatch& topics,
                     RetryPolicy& retry, KafkaProbe& probe)
    : options_(std::move(options)),
      consumer_(consumer),
      topics_(topics),
      retry_(retry),
      probe_(probe) {}

void Deliverer::start() {
  while (!sender_) {
    try {
      sender_ = options_.make_sender();
      if (std::exchange(made_sender_, true)) probe_.producer_made_anew();
    } catch (const KafkaError& error) {
      restart(error);
    }
  }
}

void Deliverer::deliver(const DecidedBatch& batch) {
  try {
    while (!attempt(batch)) {
    }
  } catch (const Failure& failure) {
    retry_.log().error("batch not delivered", {{"reason", failure.what()}});
    throw;
  } catch (const Stopped&) {
    retry_.log().info("batch left for the next start");
    throw;
  }
  failures_ = 0;
  batch.arrivals.tally(std::chrono::steady_clock::now(), now_ms(), report_);
  probe_.batch_delivered(report_);
}

std::string Deliverer::not_ready_reason() const {
  return failures_ >= kManyFailures ? "flags cannot be delivered, the log says why" : "";
}

// Sends the batch once, and looks up the outcome of a failure. True: the batch is delivered.
bool Deliverer::attempt(const DecidedBatch& batch) {
  try {
    start();
    send(batch);
    return true;
  } catch (const KafkaError& error) {
    probe_.delivery_failed(reason_of(error.error_class()));
    restart(error);
    // A new sender would fence an instance that has taken over, so check the offsets first.
    if (error.error_class() == ErrorClass::kExpired && is_committed(batch.stored)) return true;
  }
  start();
  return is_committed(batch.stored);
}

void Deliverer::send(const DecidedBatch& batch) {
  report_ = {};
  StageClock clock;
  std::chrono::nanoseconds producing{0};
  std::chrono::nanoseconds committing{0};
  failpoint("before_produce");
  sender_->begin();
  produce(batch);
  produce_order(batch.stored);
  clock.lap(producing);
  failpoint("after_produce");
  retry_.log().debug("batch sent", {{"dead_letters", report_.dead_letter_messages()}});
  sender_->commit(batch.stored.to, batch.stored.after, topics_.known());
  clock.lap(committing);
  report_.produce_seconds = std::chrono::duration<double>(producing).count();
  report_.commit_seconds = std::chrono::duration<double>(committing).count();
}

void Deliverer::produce(const DecidedBatch& batch) {
  const StoredBatch& stored = batch.stored;
  MessageWriter writer = options_.make_writer(stored);
  for (std::size_t i = 0; i < stored.flags.size(); ++i) {
    const Flag& flag = stored.flags[i];
    const TraceContext* trace = stored.trace_of(i);
    messages_.clear();
    writer.append(flag, batch.held.find(flag.source), trace, messages_);
    for (const OutgoingMessage& message : messages_) {
      sender_->produce(message);
      if (message.destination == Destination::kOutput) {
        ++report_.output_messages;
        continue;
      }
      ++report_.dead_letters[std::string(dead_letter_reason(message))];
      log_dead_letter(message, flag, stored.inputs().at(flag.source.input).partition, trace,
                      retry_.log());
    }
  }
}

void Deliverer::produce_order(const StoredBatch& batch) {
  OutgoingMessage message;
  message.destination = Destination::kOrder;
  if (!batch.decided.empty()) {
    message.value = batch.decided;
  } else if (!options_.order_key.empty() && !batch.flags.empty()) {
    message.key = options_.order_key;
    message.value = encode_order(batch, topics_.known());
  } else {
    return;
  }
  sender_->produce(message);
}

void Deliverer::restart(const KafkaError& error) {
  give_up_on(error);
  const unsigned failures = ++failures_;
  retry_.log().warning("producer recreated", {{"failures", failures}, {"reason", error.what()}});
  sender_.reset();
  retry_.pause(std::min(kFirstPause * failures, kLongestPause));
}

// Finds out from the committed offsets whether a failed commit took effect. Throws when they are
// neither those before nor those after the batch.
bool Deliverer::is_committed(const StoredBatch& batch) {
  const auto committed = read_committed(consumer_, batch.to, retry_);
  if (matches(committed, batch.to, batch.after)) {
    retry_.log().info("batch found committed");
    return true;
  }
  if (batch.before ? matches(committed, batch.from, *batch.before) : nothing_in(committed)) {
    return false;
  }
  throw Failure(
      Exit::kUnavailable,
      fmt::format(
          "the committed offsets of the group are neither those before nor those after batch {}: "
          "another program commits for this group. Restart the service to see both sides",
          batch.after.batch));
}

}  // namespace neardup
