// Shards and the resolver of a cluster in one process, one thread, over stores in memory: CPU time
// of a document by step, and bytes of answers and decisions on the wire. A tenth of the documents
// are near copies (bench/synthetic.h); decisions are applied some chunks after the answers, so the
// window is in use.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bench/runner.h"
#include "bench/synthetic.h"
#include "pipeline/shard/merged_resolver.h"
#include "pipeline/shard/shard.h"
#include "service/cluster/answer_codec.h"
#include "service/cluster/decided.h"
#include "service/cluster/log_chunk.h"
#include "service/cluster/placement.h"
#include "storage/memory_store.h"

namespace neardup::bench {
namespace {

constexpr const char* kCluster = "2c5d3f0e-8c9b-4a55-b1c2-7f6f572a5fce";
constexpr std::uint32_t kSlack = 64;
constexpr std::size_t kLag = 64;  // chunks between the answer and the decision's arrival at shards

class ShardsBench {
 public:
  ShardsBench(const Options& options, std::uint32_t shards)
      : options_(options),
        rule_(rule_of(documents_)),
        codec_(rule_, kCluster),
        resolver_(rule_, {}, {.place = {1, StreamTime(0)}}) {
    for (std::uint32_t shard = 0; shard < shards; ++shard) {
      placement_.answering.push_back(shard);
      stores_.push_back(open_memory_store({}, OpenMode::kReadWrite));
      stores_.back()->set_index([this](const DocumentRow& row) { return documents_.index(row); });
      shards_.push_back(std::make_unique<Shard>(rule_, kSlack, FilterOptions(), CpuOptions(),
                                                KeepTexts::kNone, *stores_.back()));
    }
    placement_.active = placement_.answering;
  }

  // The figures are of the chunks from `from` on.
  void run(std::size_t chunks, std::size_t from) {
    for (std::size_t n = 0; n < chunks + kLag; ++n) {
      measures_ = n >= from && n < chunks;
      if (n < chunks) answer();
      if (n < kLag) continue;
      decide(n - kLag);
      apply(n - kLag);
    }
    const auto documents = static_cast<double>((chunks - from) * kMostChunkRecords);
    const auto row = [&](const char* step, double seconds, double bytes) {
      Row()
          .text("step", step)
          .number("shards", static_cast<double>(shards_.size()))
          .number("documents", static_cast<double>(chunks * kMostChunkRecords))
          .number("us_per_document", 1e6 * seconds / documents, 3)
          .number("bytes_per_document", bytes / documents, 2)
          .print(options_);
    };
    const auto per_shard = static_cast<double>(shards_.size());
    row("answer", answering_ / per_shard, 0);
    row("encode", encoding_ / per_shard, answer_bytes_ / per_shard);
    row("decode", decoding_, answer_bytes_);
    row("decide", deciding_, decided_bytes_);
    row("apply", applying_ / per_shard, 0);
  }

 private:
  struct Open {
    SketchedBatch batch;
    Seq first = 1;
    std::vector<std::string> answers;
    std::vector<Effect> effects;
  };

  template <class Call>
  void time(double& total, Call call) {
    const double start = thread_seconds();
    call();
    if (measures_) total += thread_seconds() - start;
  }

  void answer() {
    Open& open = *open_.emplace_back(std::make_unique<Open>());
    open.first = 1 + (open_.size() - 1) * kMostChunkRecords;
    documents_.fill(open.first - 1, kMostChunkRecords, open.batch);
    open.batch.tokens.assign(kMostChunkRecords, 1'700);
    open.batch.text_bytes.assign(kMostChunkRecords, 10'000);
    for (std::uint32_t shard = 0; shard < shards_.size(); ++shard) {
      ShardAnswers answers{.shard = shard, .answer = {}};
      time(answering_, [&] { answers.answer = shards_[shard]->answer(open.batch, open.first); });
      time(encoding_, [&] { open.answers.push_back(codec_.encode(answers)); });
      if (measures_) answer_bytes_ += static_cast<double>(open.answers.back().size());
    }
  }

  void decide(std::size_t n) {
    Open& open = *open_[n];
    std::vector<ShardAnswers> answers(shards_.size());
    time(decoding_, [&] {
      for (std::size_t shard = 0; shard < shards_.size(); ++shard) {
        if (codec_.decode(open.answers[shard], answers[shard]) != FrameOutcome::kOpened)
          std::abort();
      }
    });
    time(deciding_, [&] {
      resolver_.prepare(open.batch);
      std::vector<ShardAnswer> of_record(answers.size());
      for (std::size_t i = 0; i < open.batch.size(); ++i) {
        for (std::size_t shard = 0; shard < answers.size(); ++shard)
          of_record[shard] = {&answers[shard].answer, &answers[shard].answer.records[i]};
        const auto decision = resolver_.decide(i, of_record);
        if (!decision) std::abort();
        open.effects.push_back(decision->effect);
      }
      resolver_.committed();
    });
    Decided decided;
    decided.rule = std::string(16, 'a');
    decided.chain = std::string(32, 'a');
    decided.first = open.first;
    decided.next = open.first + open.effects.size();
    decided.effects = open.effects;
    if (measures_) decided_bytes_ += static_cast<double>(encode_decided(kCluster, decided).size());
  }

  void apply(std::size_t n) {
    const Open& open = *open_[n];
    for (std::uint32_t shard = 0; shard < shards_.size(); ++shard) {
      time(applying_, [&] {
        WriteSet writes;
        shards_[shard]->apply(open.batch, 0, open.effects,
                              [&](Seq seq) { return owner_of(placement_, seq) == shard; });
        shards_[shard]->fill(0, writes);
        stores_[shard]->commit(writes);
        shards_[shard]->committed();
      });
    }
    open_[n].reset();
  }

  Options options_;
  SyntheticDocuments documents_{{.batch = kMostChunkRecords}};
  Rule rule_;
  AnswerCodec codec_;
  MergedResolver resolver_;
  Placement placement_;
  std::vector<std::unique_ptr<Store>> stores_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::vector<std::unique_ptr<Open>> open_;
  bool measures_ = false;
  double answering_ = 0;
  double encoding_ = 0;
  double decoding_ = 0;
  double deciding_ = 0;
  double applying_ = 0;
  double answer_bytes_ = 0;
  double decided_bytes_ = 0;
};

}  // namespace
}  // namespace neardup::bench

int main(int argc, char** argv) {
  using namespace neardup::bench;
  const auto options = parse_options(argc, argv, "Shards and resolver of a cluster, one thread.");
  for (const std::uint32_t shards : {1u, 4u}) ShardsBench(options, shards).run(2'000, 1'000);
  return 0;
}
