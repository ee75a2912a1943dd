// Chunks of a cluster's log: time of a record and bytes on the wire, one thread. Sketches are
// random, as real ones are to zstd; ids have 16 or 40 bytes. `keys` makes band keys and 1-bit
// sketches alone, `check` is the hash of the message: parts of decoding.
#include <xxhash.h>

#include <random>
#include <string>

#include "bench/runner.h"
#include "gpu/cpu/sketcher.h"
#include "gpu/keys.h"
#include "pipeline/rule/bands.h"
#include "service/cluster/chunk_encoder.h"
#include "service/cluster/log_decoder.h"

namespace neardup::bench {
namespace {

constexpr const char* kCluster = "2c5d3f0e-8c9b-4a55-b1c2-7f6f572a5fce";
constexpr std::size_t kRecords = kMostChunkRecords;
constexpr std::uint64_t kExpectedDocuments = 10'000'000;

Rule default_rule() {
  Rule rule;
  const Bands bands =
      solve_bands({}, rule.plan.sketch, rule.decision.threshold, kExpectedDocuments);
  rule.plan.bands = bands.bands;
  rule.plan.rows = bands.rows;
  return rule;
}

// Documents of about 10 KB with ids of `id_bytes`, in a namespace if it is not empty.
SketchedBatch documents(const Rule& rule, std::size_t id_bytes, const std::string& name_space) {
  std::mt19937_64 random(1);
  SketchedBatch batch;
  batch.rows.reset(rule.plan.shape(), kRecords);
  for (std::size_t i = 0; i < kRecords; ++i) {
    Record& record = batch.records.emplace_back();
    record.id = std::to_string(random()) + std::string(id_bytes, 'x');
    record.id.resize(id_bytes);
    record.has_id = true;
    record.name_space = name_space;
    record.ts_ms = 1'700'000'000'000;
    record.source = {0, 1'000'000'000 + i};
    batch.content.push_back({random(), random()});
    batch.tokens.push_back(1700);
    batch.text_bytes.push_back(10'000);
    batch.has_sketch.push_back(1);
    batch.texts.push({});
    for (std::uint32_t w = 0; w < rule.plan.shape().sketch_words(); ++w)
      batch.rows.sketch(i)[w] = random();
  }
  return batch;
}

class ChunkBench {
 public:
  ChunkBench(const Options& options, const Rule& rule, std::size_t id_bytes,
             const std::string& name_space)
      : options_(options),
        rule_(rule),
        id_bytes_(id_bytes),
        batch_(documents(rule, id_bytes, name_space)),
        encoder_(rule, kCluster),
        message_(encode()) {}

  void run() {
    time("encode", [&] { keep(encode().size()); });
    LogDecoder decoder(rule_, kCluster);
    LogMessage message;
    time("decode", [&] {
      decoder.decode(message_, message);
      keep(message.chunk.batch.rows.band_keys.back());
    });
    const std::vector<std::uint64_t> keys = make_band_keys(rule_.plan);
    time("keys", [&] {
      for (std::size_t i = 0; i < kRecords; ++i) {
        pack_one_bit(rule_.plan, batch_.rows.sketch(i), batch_.rows.one_bit(i));
        band_keys(rule_.plan, keys, batch_.rows.sketch(i), 1, batch_.rows.buckets(i));
      }
      keep(batch_.rows.band_keys.back());
    });
    time("check", [&] { keep(XXH3_64bits(message_.data(), message_.size())); });
  }

 private:
  static void keep(std::uint64_t value) { asm volatile("" : : "r"(value)); }

  std::string encode() {
    const SourceRange range{{"documents", 12}, 1'000'000'000, 1'000'000'000 + kRecords};
    return encoder_.encode(range, batch_).front().message;
  }

  template <class Call>
  void time(const char* stage, Call call) const {
    if (!options_.wants(stage)) return;
    const Timing timing = time_calls(options_, call);
    constexpr double kNanoseconds = 1e9 / kRecords;
    Row()
        .text("stage", stage)
        .number("id_bytes", static_cast<double>(id_bytes_))
        .number("bands", rule_.plan.bands)
        .number("bytes_per_record", static_cast<double>(message_.size()) / kRecords, 1)
        .number("ns_per_record", timing.median * kNanoseconds, 1)
        .number("ns_min", timing.least * kNanoseconds, 1)
        .number("ns_max", timing.most * kNanoseconds, 1)
        .print(options_);
  }

  Options options_;
  Rule rule_;
  std::size_t id_bytes_;
  SketchedBatch batch_;
  ChunkEncoder encoder_;
  std::string message_;
};

}  // namespace
}  // namespace neardup::bench

int main(int argc, char** argv) {
  using namespace neardup;
  const auto options = bench::parse_options(argc, argv, "Chunks of a cluster's log, one thread.");
  const Rule rule = bench::default_rule();
  bench::ChunkBench(options, rule, 16, "").run();
  bench::ChunkBench(options, rule, 40, "a namespace").run();
  return 0;
}
