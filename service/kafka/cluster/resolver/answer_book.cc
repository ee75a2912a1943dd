#include "service/kafka/cluster/resolver/answer_book.h"

#include <fmt/core.h>

#include <utility>

#include "pipeline/base/failure.h"
#include "service/cluster/placement.h"

namespace neardup {
namespace {

Failure newer_answer(std::int32_t partition, std::int64_t offset) {
  return {Exit::kUnavailable,
          fmt::format("the answer at offset {} of partition {} has a newer format: this program is "
                      "older than the shard that wrote it. Upgrade resolvers before shards",
                      offset, partition)};
}

Seq behind(const Answer& answer) { return answer.first + answer.records.size(); }

}  // namespace

AnswerBook::AnswerBook(const Rule& rule, std::string cluster, Seq next, std::uint32_t window)
    : codec_(rule, std::move(cluster)), window_(window), next_(next), shards_(kMostShards) {}

AnswerUse AnswerBook::take(std::int32_t partition, std::int64_t offset, std::string_view message) {
  switch (codec_.decode(message, decoded_)) {
    case FrameOutcome::kOpened:
      break;
    case FrameOutcome::kOtherCluster:
      return AnswerUse::kForeign;
    case FrameOutcome::kDamaged:
      return AnswerUse::kDamaged;
    case FrameOutcome::kNewerFormat:
      throw newer_answer(partition, offset);
  }
  const AnswerUse use = use_of(partition, decoded_);
  if (use != AnswerUse::kKept) return use;
  ++revision_;
  shards_[decoded_.shard].insert_or_assign(decoded_.answer.first, std::move(decoded_.answer));
  return use;
}

AnswerUse AnswerBook::use_of(std::int32_t partition, const ShardAnswers& answers) const {
  const Answer& answer = answers.answer;
  if (static_cast<std::uint32_t>(partition) != answers.shard) return AnswerUse::kForeign;
  if (answer.records.empty()) return AnswerUse::kIdle;
  // Shards know only what is committed: it is of another history of the cluster.
  if (answer.as_of >= next_) return AnswerUse::kForeign;
  if (behind(answer) <= next_) return AnswerUse::kLate;
  if (answer.first > next_ + window_) return AnswerUse::kAhead;
  const OfShard& known = shards_[answers.shard];
  const auto same = known.find(answer.first);
  return same != known.end() && same->second.as_of > answer.as_of ? AnswerUse::kLate
                                                                  : AnswerUse::kKept;
}

// All readers cut the log into the same chunks: an answer about other records is none.
const Answer* AnswerBook::find(std::uint32_t shard, const UndecidedChunk& chunk) const {
  const OfShard& known = shards_[shard];
  const auto found = known.find(chunk.first);
  if (found == known.end() || behind(found->second) != chunk.next()) return nullptr;
  return &found->second;
}

std::size_t AnswerBook::size() const {
  std::size_t sum = 0;
  for (const OfShard& known : shards_) sum += known.size();
  return sum;
}

void AnswerBook::drop_below(Seq next) {
  next_ = next;
  for (OfShard& known : shards_) {
    while (!known.empty() && behind(known.begin()->second) <= next) known.erase(known.begin());
  }
}

const std::vector<ShardAnswer>& ChunkAnswers::find(const UndecidedChunk& chunk, Seq seq, Seq base,
                                                   const std::vector<std::uint32_t>& shards) {
  if (first_ != chunk.first || revision_ != book_.revision() || base_ != base ||
      shards_ != shards) {
    look_up(chunk, base, shards);
  }
  for (ShardAnswer& one : found_) one.record = &one.answer->records[seq - chunk.first];
  return found_;
}

void ChunkAnswers::look_up(const UndecidedChunk& chunk, Seq base,
                           const std::vector<std::uint32_t>& shards) {
  first_ = chunk.first;
  revision_ = book_.revision();
  base_ = base;
  shards_ = shards;
  found_.clear();
  missing_.clear();
  for (const std::uint32_t shard : shards) {
    const Answer* answer = book_.find(shard, chunk);
    if (answer != nullptr && answer->as_of >= base) {
      found_.push_back({answer, nullptr});
    } else {
      missing_.push_back(shard);
    }
  }
}

}  // namespace neardup
