// The events of the pipeline, once per batch.
#pragma once

#include <array>
#include <cstdint>

#include "metrics/catalogue.h"
#include "metrics/labels.h"
#include "metrics/local_histogram.h"

namespace neardup {

// Bucket sizes, by their bit width: 0, 1, 2 to 3, 4 to 7 … and 1 024 and more.
inline constexpr std::size_t kBucketWidths = 12;

// A stored batch.
struct StoredBatchReport {
  // Totals since the start of the pipeline; the first two by Status.
  std::array<std::uint64_t, kStatuses> documents{};
  std::array<std::uint64_t, kStatuses> text_bytes{};
  std::uint64_t input_bytes = 0;
  std::uint64_t postings = 0;
  std::uint64_t caps_hit = 0;
  std::uint64_t time_steps_cut = 0;
  std::array<std::uint64_t, 5> candidates{};  // by CandidateStep

  // Of this batch.
  std::uint64_t batch_documents = 0;
  std::uint64_t batch_duplicates = 0;  // exact and near
  NoticeCounts notices{};
  std::array<double, 8> seconds{};  // by BatchStage, up to kWrite
  std::array<std::uint64_t, kBucketWidths> bucket_sizes{};
  std::uint64_t bucket_postings = 0;  // the sum of those sizes
  LocalHistogram similarities{metric_info(Metric::kSimilarity).buckets};
};

class PipelineProbe {
 public:
  virtual ~PipelineProbe() = default;
  // Called by the deciding thread; `state_stands` at the start and after each batch.
  virtual void batch_stored(const StoredBatchReport& batch) = 0;
  virtual void state_stands(std::uint64_t last_seq, std::int64_t stream_time_ms) = 0;
};

}  // namespace neardup
