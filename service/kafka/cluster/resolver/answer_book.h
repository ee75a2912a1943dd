// The answers of all shards about the records that are decided next: of each shard and chunk of the
// log the one that is as of the latest decision. No Kafka in here.
//
// Shards answer repeatedly, replicas of one do it independently, and all are right: an answer about
// a chunk only gets better with a later decision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/resolver_probe.h"
#include "pipeline/rule/rule.h"
#include "pipeline/shard/answer.h"
#include "pipeline/shard/merged_documents.h"
#include "service/cluster/answer_codec.h"
#include "service/kafka/cluster/log/undecided_log.h"

namespace neardup {

// One thread.
class AnswerBook {
 public:
  // `cluster`: its uuid. `next`: the first record to be decided. `window`: answers about records
  // that are further ahead are not kept. `rule` must outlive this.
  AnswerBook(const Rule& rule, std::string cluster, Seq next, std::uint32_t window);

  // A message of a partition of the topic of answers. Throws Failure(kUnavailable) for one of a
  // newer format.
  AnswerUse take(std::int32_t partition, std::int64_t offset, std::string_view message);

  // The answer of a shard about a chunk, or null. Valid until a later answer about it is taken, or
  // it is dropped.
  const Answer* find(std::uint32_t shard, const UndecidedChunk& chunk) const;

  // Larger after each message that was kept.
  std::uint64_t revision() const { return revision_; }
  // In memory.
  std::size_t size() const;

  // The records below `next` are decided.
  void drop_below(Seq next);

 private:
  using OfShard = std::map<Seq, Answer>;  // by its first record

  AnswerUse use_of(std::int32_t partition, const ShardAnswers& answers) const;

  AnswerCodec codec_;
  const std::uint32_t window_;
  Seq next_;
  std::uint64_t revision_ = 0;
  std::vector<OfShard> shards_;
  ShardAnswers decoded_;
};

// Looks up one record in the book: the answers of the shards that hold documents then. Looks them
// up once for the records of a chunk.
class ChunkAnswers {
 public:
  // `book` must outlive this.
  explicit ChunkAnswers(const AnswerBook& book) : book_(book) {}

  // The answers about record `seq` of `chunk` as of `base` or later, from each of `shards`. Where
  // one is missing, `missing` is not empty and names the shards. Valid until the next call, or the
  // next change of the book.
  const std::vector<ShardAnswer>& find(const UndecidedChunk& chunk, Seq seq, Seq base,
                                       const std::vector<std::uint32_t>& shards);
  const std::vector<std::uint32_t>& missing() const { return missing_; }

 private:
  void look_up(const UndecidedChunk& chunk, Seq base, const std::vector<std::uint32_t>& shards);

  const AnswerBook& book_;
  Seq first_ = 0;  // of the chunk, as all below; 0: none was looked up yet
  std::uint64_t revision_ = 0;
  Seq base_ = 0;
  std::vector<std::uint32_t> shards_;
  std::vector<ShardAnswer> found_;
  std::vector<std::uint32_t> missing_;
};

}  // namespace neardup
