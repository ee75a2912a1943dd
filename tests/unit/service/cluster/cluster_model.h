// A cluster of shards and a resolver in one process, without Kafka, as tests/simulation models it:
// its actors take steps in random order, crash, lose disks and are replaced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/rule/index_entry.h"
#include "pipeline/shard/merged_resolver.h"
#include "pipeline/shard/shard.h"
#include "service/cluster/placement.h"
#include "service/records/flag_writer.h"
#include "storage/memory_store.h"
#include "tests/unit/service/cluster/random_stream.h"

namespace neardup {

// What is broken on purpose.
struct Mutant {
  bool takes_stale_answers = false;  // older than the window
  bool forgets_window = false;       // what was decided since the answers
  bool believes_cut_lists = false;   // to be complete
  bool counts_cap_by_shard = false;
  bool has_no_slack = false;
  bool keeps_ended_versions = false;  // in shards
  bool asks_without_watermark = false;
  bool starts_without_ages = false;
  bool starts_stream_time_anew = false;
  bool owns_by_last_placement = false;
};

// What all actors share.
struct ClusterLog {
  struct Chunk {
    Seq first = 1;
    std::unique_ptr<SketchedBatch> batch;
    Seq next() const { return first + batch->size(); }
  };
  struct DecidedBatch {
    Seq next = 1;
    std::vector<Effect> effects;  // of the records before
    Seq watermark = 0;
    bool again = false;
  };

  // The chunk of a record; null where it is not in the log yet.
  const Chunk* chunk_of(Seq seq) const {
    for (std::size_t i = 0; i < written; ++i) {
      if (seq < chunks[i].next()) return &chunks[i];
    }
    return nullptr;
  }
  const Placement& placement(Seq seq) const {
    return std::ranges::find_if(placements.rbegin(), placements.rend(),
                                [&](const auto& placement) { return placement.first <= seq; })
        ->second;
  }
  bool owns(std::uint32_t shard, Seq seq) const {
    const Seq at = mutant.owns_by_last_placement ? kMaxSeq : seq;
    return owner_of(placement(at), seq, kBlock) == shard;
  }

  static constexpr Seq kBlock = 4;
  Rule rule;
  Mutant mutant;
  std::vector<Chunk> chunks;
  std::size_t written = 0;  // of the chunks
  std::vector<std::pair<Seq, Placement>> placements;
  std::vector<DecidedBatch> decisions;
  std::map<std::uint32_t, std::vector<std::shared_ptr<const Answer>>> answers;
  std::vector<Flag> flags;
  Seq window = 1;
  std::uint32_t slack = 1;
  KeepTexts keep_texts = KeepTexts::kNone;
  std::size_t shortages = 0;
  std::size_t stalls = 0;
};

class ShardActor {
 public:
  ShardActor(ClusterLog& log, Dice& dice, std::uint32_t number);

  void step();
  void crash();
  bool is_done() const { return at_ == log_.decisions.size(); }
  std::uint32_t number() const { return number_; }
  Store& store() { return *store_; }

 private:
  void make_store();
  void open();
  void apply();
  void apply(const ClusterLog::DecidedBatch& decided);
  void answer();
  void answer_again() { next_answer_ = shard_->decided() + 1; }

  ClusterLog& log_;
  Dice& dice_;
  std::uint32_t number_;
  std::unique_ptr<Store> store_;
  std::optional<Shard> shard_;
  std::size_t at_ = 0;  // the next of the decisions
  Seq watermark_ = 0;
  Seq next_answer_ = 1;
};

class ResolverActor {
 public:
  ResolverActor(ClusterLog& log, Dice& dice);

  void step();

 private:
  using AnswerOfChunk = std::map<Seq, std::shared_ptr<const Answer>>;  // by its first record

  void commit(bool again, Seq watermark);
  void read_answers();
  bool decide_next();
  bool find_answers(const ClusterLog::Chunk& chunk, Seq seq);
  void wait();

  ClusterLog& log_;
  Dice& dice_;
  MergedResolver resolver_;
  std::map<std::uint32_t, std::size_t> at_;
  std::map<std::uint32_t, AnswerOfChunk> answers_;
  std::vector<ShardAnswer> found_;
  std::vector<Effect> effects_;
  std::vector<Flag> flags_;
  Seq watermark_ = 0;  // of the last record that was decided
  int idle_ = 0;
};

class ClusterModel {
 public:
  ClusterModel(unsigned seed, const Mutant& mutant);

  // What is wrong with the run; nothing: the flags and rows are those of one process.
  std::optional<std::string> mistake();
  const ClusterLog& log() const { return log_; }

 private:
  bool run();
  void step();
  void write_chunk();
  void add_shard();
  bool is_done();
  std::optional<std::string> difference();
  std::optional<std::string> different_rows(Store& single);

  Dice dice_;
  ClusterLog log_;
  std::vector<std::unique_ptr<ShardActor>> shards_;
  std::unique_ptr<ResolverActor> resolver_;
  double chaos_;
  int crashes_ = 0;
};

}  // namespace neardup
