#include "service/kafka/cluster/resolver/resolving.h"

#include <utility>

namespace neardup {

bool needs_ages(const RetentionOptions& options) {
  return options.max_age_ms != 0 || options.max_bytes != 0;
}

Resolving::Resolving(const Rule& rule, const CpuOptions& cpu, const MergedResolver::Start& start,
                     UndecidedLog& undecided, AnswerBook& book, ResolvedBatches& batches)
    : resolver_(rule, cpu, start),
      undecided_(undecided),
      book_(book),
      batches_(batches),
      answers_(book) {}

Resolving::Outcome Resolving::decide(std::chrono::steady_clock::time_point arrived) {
  const Seq seq = next();
  const UndecidedChunk* chunk = undecided_.chunk_of(seq);
  if (chunk == nullptr) return Outcome::kNoRecord;
  const auto& found =
      answers_.find(*chunk, seq, resolver_.base(), undecided_.placement(seq).answering);
  if (!missing().empty()) return Outcome::kNoAnswers;
  const std::size_t i = seq - chunk->first;
  resolver_.prepare(chunk->batch);
  auto decision = resolver_.decide(i, found);
  if (!decision) return Outcome::kShortList;
  const std::uint32_t bytes = decision->effect.has_document ? chunk->batch.text_bytes[i] : 0;
  batches_.add(*std::move(decision), *chunk, {seq, resolver_.time().now_ms(), bytes}, arrived);
  return Outcome::kDecided;
}

std::unique_ptr<DecidedBatch> Resolving::take(bool again) {
  undecided_.drop_below(next());
  book_.drop_below(next());
  auto batch = batches_.take({.place = undecided_.place_of(next()),
                              .placement = undecided_.placement(next()),
                              .sources = undecided_.positions(),
                              .time = resolver_.time(),
                              .watermark = resolver_.watermark(),
                              .again = again});
  resolver_.committed();
  if (again) resolver_.ask_again();
  return batch;
}

}  // namespace neardup
