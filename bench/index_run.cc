#include "bench/index_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "bench/runner.h"
#include "pipeline/core/failure.h"
#include "pipeline/rule/estimate.h"
#include "storage/memory_plan.h"

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

FilterOptions held_in(std::uint64_t memory) {
  const MemoryPlan plan = plan_memory(memory);
  return {.sketch_bytes = plan.sketches, .row_bytes = plan.rows};
}

}  // namespace

IndexRun::IndexRun(const SyntheticOptions& options, std::uint64_t memory, Store& store)
    : documents_(options),
      store_(store),
      batch_(options.batch),
      options_(fmt::format("bands {}, duplicates {}, relatives {}, batch {}", options.bands,
                           options.duplicates, options.relatives, options.batch)),
      comparer_(documents_.plan().shape(), {}),
      need_(Estimator(documents_.plan(), kThreshold).decision_count()),
      filter_(comparer_, need_),
      capped_buckets_(comparer_, kBucketCap, tombstones_),
      look_up_(store, options.bands, kBucketCap, comparer_, filter_, capped_buckets_, tombstones_,
               RowsOf::kBest, held_in(memory)) {
  if (const auto stored = store.meta(kMetaOptions); stored && *stored != options_) {
    throw Failure(Exit::kConfig, fmt::format("the state was filled with {}, not with {}: name "
                                             "another --path",
                                             *stored, options_));
  }
  store.set_index([this](const DocumentRow& row) { return documents_.index(row); });
  next_ = stored_number(store, kMetaDocuments);
  kept_before_ = stored_number(store, kMetaKept);
}

// Batches end where those of SyntheticDocuments do: copies are of documents that are stored.
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
  tally_.commit_seconds += end - decided;
  return end - start;
}

void IndexRun::look_up_chunk() { decide(std::min(kChunk, left_in_batch())); }

void IndexRun::decide(std::uint32_t count) {
  for (std::uint32_t done = 0; done < count; done += kChunk) {
    const std::uint64_t first = next_ + done;
    const double start = thread_seconds();
    documents_.fill(first, std::min(kChunk, count - done), chunk_);
    tally_.make_cpu_seconds += thread_seconds() - start;
    look_up_.run(chunk_);
    for (std::size_t i = 0; i < chunk_.size(); ++i) {
      const Found found = best(i);
      judge(first + i, i, found.original);
      store(first + i, i, found);
    }
  }
  tally_.candidates = filter_.counts().candidates;
  tally_.passed = filter_.counts().passed;
}

// The most similar of the candidates; ties go to the smaller seq.
IndexRun::Found IndexRun::best(std::size_t i) {
  Found found;
  const auto compare = [&](const Nominee& nominee) {
    if (!may_beat(nominee, found.count, found.original)) return;
    const DocumentRow* row = look_up_.rows().get(nominee.seq);
    if (row == nullptr) return;
    const std::uint32_t count = comparer_.equal_values(sketch(i), row->sketch.data());
    if (count < need_ || !may_beat({nominee.seq, count}, found.count, found.original)) return;
    found = {nominee.seq, count};
  };
  const std::span<const Nominee> nominees = look_up_.nominated(i);
  if (!nominees.empty()) compare(first_to_compare(nominees));
  for (const Nominee& nominee : nominees) compare(nominee);
  return found;
}

void IndexRun::judge(std::uint64_t number, std::size_t i, Seq found) {
  ++tally_.documents;
  const std::optional<std::uint64_t> original = documents_.original(number);
  const Seq expected = original ? seq_of(*original) : 0;
  if (found == expected) return;
  if (found != 0) {
    ++tally_.wrong;
  } else if (shares_band(i, *original)) {
    ++tally_.missed;
  } else {
    ++tally_.no_band;
  }
}

bool IndexRun::shares_band(std::size_t i, std::uint64_t original) const {
  SketchedBatch other;
  documents_.fill(original, 1, other);
  return comparer_.bands_hit(sketch(i), other.rows.sketches.data()) != 0;
}

void IndexRun::store(std::uint64_t number, std::size_t i, const Found& found) {
  IdRow id;
  id.seq = seq_of(number);
  id.content = chunk_.content[i];
  if (found.original != 0) {
    id.kept = id.has_document = false;
    id.original = found.original;
    id.similarity =
        static_cast<Ppm>(std::uint64_t{kOne} * found.count / documents_.plan().sketch.size);
  } else {
    ++tally_.kept;
    const SketchShape shape = documents_.plan().shape();
    DocumentPut put;
    put.row.seq = id.seq;
    put.row.id = chunk_.records[i].id;
    put.row.content = id.content;
    put.row.sketch.assign(sketch(i), sketch(i) + shape.sketch_words());
    const std::uint64_t* buckets = chunk_.rows.buckets.data() + i * shape.bands;
    put.index.buckets.assign(buckets, buckets + shape.bands);
    const std::uint64_t* one_bit = chunk_.rows.one_bit.data() + i * shape.one_bit_words();
    put.index.one_bit.assign(one_bit, one_bit + shape.one_bit_words());
    look_up_.sketches().put(id.seq, sketch(i));
    writes_.documents.push_back(std::move(put));
  }
  writes_.ids.emplace_back(look_up_.key(i), id);
}

}  // namespace neardup::bench
