#include "service/kafka/cluster/log/follow_source.h"

#include <chrono>
#include <thread>

#include "service/kafka/client/handles.h"

namespace neardup {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};

}  // namespace

FollowSource::FollowSource(std::unique_ptr<Source> records, KafkaSource& messages,
                           const Position& start, const Consumer& consumer, DeliveredMarks& marks,
                           std::function<bool()> leads, RetryPolicy& retry, StageWatch& watch)
    : records_(std::move(records)),
      messages_(messages),
      reached_(start),
      consumer_(consumer),
      marks_(marks),
      leads_(std::move(leads)),
      retry_(retry),
      watch_(watch),
      target_(start.offset) {}

bool FollowSource::read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) {
  while (!ends()) {
    if (reached_.offset < target_) {
      const bool more = records_->read(max_records, max_bytes, chunk);
      if (messages_.ended_batch()) reached_.offset = target_;
      return more;
    }
    look_for_mark();
    if (reached_.offset >= target_) {
      watch_.alive(ServiceStage::kReader);
      std::this_thread::sleep_for(kBetweenLooks);
    }
  }
  return false;
}

// The committed offset. Nothing while it cannot be read: a transaction that its decider has left
// open hides it, until the one that leads next ends it.
std::optional<CommittedOffset> FollowSource::read_committed() {
  try {
    return consumer_.committed({reached_.partition}).front();
  } catch (const KafkaError& error) {
    if (error.error_class() != ErrorClass::kRetriable) throw;
    return {};
  }
}

// Marks before the place that this state has reached cannot be compared: it was ahead of them.
void FollowSource::look_for_mark() {
  const auto committed = read_committed();
  if (!committed || !committed->offset || *committed->offset <= reached_.offset) return;
  const auto mark = decode_mark(committed->metadata);
  if (!mark) return;  // the start procedure will say what is wrong
  target_ = *committed->offset;
  marks_.expect({*mark, {{reached_.partition, target_}}});
  messages_.end_batch_at(target_);
}

void FollowSource::interrupt() {
  interrupted_ = true;
  records_->interrupt();
}

}  // namespace neardup
