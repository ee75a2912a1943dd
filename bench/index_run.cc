#include "bench/index_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "bench/runner.h"
#include "pipeline/base/failure.h"

namespace neardup::bench {
namespace {

constexpr std::uint32_t kChunk = 256;  // as Backend::preferred_call of the CPU
constexpr std::uint32_t kBucketCap = 64;
constexpr Ppm kThreshold = 800'000;
constexpr const char* kMetaOptions = "bench_options";
constexpr const char* kMetaDocuments = "bench_documents";
constexpr const char* kMetaKept = "bench_kept";

Seq seq_of(std::uint64_t number) { return number + 1; }

std::uint64_t stored_number(Store& store, const char* key) {
  const std::optional<std::string> text = store.meta(key);
  return text ? std::strtoull(text->c_str(), nullptr, 10) : 0;
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Rule rule_of(const SketchPlan& plan) {
  Rule rule;
  rule.plan = plan;
  rule.bucket_cap = kBucketCap;
  rule.decision.threshold = kThreshold;
  return rule;
}

}  // namespace

IndexRun::IndexRun(const SyntheticOptions& options, std::uint64_t memory, Store& store)
    : IndexRun(options, plan_memory(memory), store) {}

IndexRun::IndexRun(const SyntheticOptions& options, const MemoryPlan& memory, Store& store)
    : documents_(options),
      store_(store),
      batch_(options.batch),
      options_(fmt::format("bands {}, duplicates {}, relatives {}, batch {}", options.bands,
                           options.duplicates, options.relatives, options.batch)),
      comparer_(documents_.plan().shape(), {}),
      sketches_(documents_.plan().shape().sketch_words(), memory.sketches),
      rows_(store, sketches_, tombstones_, memory.rows),
      known_(rule_of(documents_.plan()), {}, {}, store, pending_, tombstones_, sketches_, rows_) {
  if (const auto stored = store.meta(kMetaOptions); stored && *stored != options_) {
    throw Failure(Exit::kConfig, fmt::format("the state was filled with {}, not with {}: name "
                                             "another --path",
                                             *stored, options_));
  }
  store.set_index([this](const DocumentRow& row) { return documents_.index(row); });
  next_ = stored_number(store, kMetaDocuments);
  kept_before_ = stored_number(store, kMetaKept);
}

// Batches end where those of SyntheticDocuments do, so that the originals of copies are stored.
std::uint32_t IndexRun::left_in_batch() const {
  return batch_ - static_cast<std::uint32_t>(next_ % batch_);
}

double IndexRun::run_batch(std::uint64_t most) {
  const double start = now();
  const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, left_in_batch()));
  writes_.clear();
  decide(count);
  next_ += count;
  writes_.meta.emplace_back(kMetaOptions, options_);
  writes_.meta.emplace_back(kMetaDocuments, fmt::format("{}", next_));
  writes_.meta.emplace_back(kMetaKept, fmt::format("{}", kept()));
  const double decided = now();
  store_.commit(writes_);
  const double end = now();
  counts_.commit_seconds += end - decided;
  return end - start;
}

void IndexRun::look_up_chunk() { decide(std::min(kChunk, left_in_batch())); }

void IndexRun::decide(std::uint32_t count) {
  for (std::uint32_t done = 0; done < count; done += kChunk) {
    const std::uint64_t first = next_ + done;
    const double start = thread_seconds();
    documents_.fill(first, std::min(kChunk, count - done), chunk_);
    counts_.make_cpu_seconds += thread_seconds() - start;
    known_.prepare(chunk_);
    for (std::size_t i = 0; i < chunk_.size(); ++i) {
      const std::optional<Original> found = known_.best_original(i);
      judge(first + i, i, found);
      store(first + i, i, found);
    }
  }
  counts_.candidates = known_.filter_counts().candidates;
  counts_.passed = known_.filter_counts().passed;
}

void IndexRun::judge(std::uint64_t number, std::size_t i, const std::optional<Original>& found) {
  ++counts_.documents;
  const std::optional<std::uint64_t> original = documents_.original(number);
  if (found) {
    if (!original || found->seq != seq_of(*original)) ++counts_.wrong;
  } else if (original) {
    ++(shares_band(i, *original) ? counts_.missed : counts_.no_band);
  }
}

bool IndexRun::shares_band(std::size_t i, std::uint64_t original) const {
  SketchedBatch other;
  documents_.fill(original, 1, other);
  return comparer_.bands_hit(chunk_.rows.sketch(i), other.rows.sketch(0)) != 0;
}

void IndexRun::store(std::uint64_t number, std::size_t i, const std::optional<Original>& found) {
  IdRow id;
  id.seq = seq_of(number);
  id.content = chunk_.content[i];
  if (found) {
    id.kept = id.has_document = false;
    id.original = found->seq;
    id.similarity = found->similarity;
  } else {
    ++counts_.kept;
    const SketchShape shape = documents_.plan().shape();
    DocumentPut put;
    put.row.seq = id.seq;
    put.row.id = chunk_.records[i].id;
    put.row.content = id.content;
    const std::uint64_t* sketch = chunk_.rows.sketch(i);
    put.row.sketch.assign(sketch, sketch + shape.sketch_words());
    const std::uint64_t* buckets = chunk_.rows.buckets(i);
    put.index.buckets.assign(buckets, buckets + shape.bands);
    const std::uint64_t* one_bit = chunk_.rows.one_bit(i);
    put.index.one_bit.assign(one_bit, one_bit + shape.one_bit_words());
    sketches_.put(id.seq, sketch);
    writes_.documents.push_back(std::move(put));
  }
  writes_.ids.emplace_back(IdKey{"", chunk_.records[i].id}, id);
}

}  // namespace neardup::bench
