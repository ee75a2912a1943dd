#include "service/kafka/store/delivered.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/kafka/message/message_writer.h"

namespace neardup {
namespace {

[[noreturn]] void refuse(const DeliveredRecord& delivered, const std::string& difference) {
  throw Failure(
      Exit::kUnavailable,
      fmt::format(
          "the restored state does not lead to the flags that were delivered: at seq {} (offset {} "
          "of {}) {}\nNothing was sent. The input has changed since (compaction), documents were "
          "deleted by command after the copy was made (`neardup restore --deletes` takes their "
          "log), or the output topic holds flags of another state. Restore a newer copy, or build "
          "a new state with another kafka.group_id and a separate output topic.",
          delivered.seq, delivered.source.offset, to_text(delivered.source.partition), difference));
}

// Removes what a flag record has of PassedOn. FlagWriter writes it right before `seq`, and escapes
// quotes inside strings, so the search matches no other text.
void remove_passed_on(std::string& json) {
  std::size_t begin = json.npos;
  for (const std::string_view name : kPassedOnFields) {
    begin = std::min(begin, json.find(fmt::format(R"(,"{}":)", name)));
  }
  if (begin != json.npos) json.erase(begin, json.find(R"(,"seq":)", begin) - begin);
}

}  // namespace

ReplayCheck::ReplayCheck(const RuleStamp& rule)
    : writer_(
          rule.fingerprint, rule.threshold,
          message_sources([this](std::uint32_t) -> const TopicPartition& { return partition_; })) {}

void ReplayCheck::expect(std::vector<DeliveredRecord> records) {
  const MutexLock lock(mutex_);
  std::ranges::move(records, std::back_inserter(expected_));
}

DeliveredRecord ReplayCheck::take() {
  const MutexLock lock(mutex_);
  assert(!expected_.empty());
  DeliveredRecord record = std::move(expected_.front());
  expected_.pop_front();
  return record;
}

void ReplayCheck::compare(const Flag& flag, const Chain& chain) {
  DeliveredRecord delivered = take();
  assert(delivered.seq == flag.seq);
  if (!delivered.chain.empty() && delivered.chain != chain.digits()) {
    refuse(delivered, fmt::format("the hash of all flags is {}, that of the delivered ones {}.",
                                  chain.digits(), delivered.chain));
  }
  if (delivered.flag.empty()) return;
  partition_ = delivered.source.partition;
  json_.clear();
  writer_.append(flag, json_);
  json_.pop_back();  // the line end
  remove_passed_on(json_);
  remove_passed_on(delivered.flag);
  if (json_ != delivered.flag) {
    refuse(delivered,
           fmt::format("they differ:\n  delivered: {}\n  decided:   {}", delivered.flag, json_));
  }
}

}  // namespace neardup
