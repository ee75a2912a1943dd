// Online quality: compares some pairs exactly while the service runs, on a separate thread. It
// neither delays nor changes a flag.
//
// Pairs are sampled by their original. Of the documents that may become originals, one in 32 (by a
// hash of the seq) has its normalised text kept in memory, the latest within a budget. A pair whose
// original is among them is offered: a near-duplicate with its original, or a document that was not
// flagged with the most similar candidate just below. A few pairs of each batch, chosen uniformly
// (reservoir sampling, Vitter 1985, algorithm R), go to the thread, unless it is busy or has used
// its share of CPU time, 0.1 % of one core.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "gpu/cpu/shingler.h"
#include "metrics/labels.h"
#include "pipeline/base/mutex.h"
#include "pipeline/model/types.h"
#include "pipeline/rule/rule.h"

namespace neardup {

struct QualityStats {
  // Of the latest pairs that were compared.
  std::uint64_t flagged = 0;
  std::uint64_t flagged_right = 0;  // exact similarity reaches the threshold
  std::uint64_t near = 0;           // at most 0.05 above the threshold, flagged or not
  std::uint64_t near_flagged = 0;
  // Since the start.
  std::array<std::uint64_t, 2> compared{};  // by PairKind
  std::uint64_t skipped_no_text = 0;
  std::uint64_t skipped_busy = 0;
  double cpu_seconds = 0;
};

class QualityCheck {
 public:
  static constexpr std::size_t kPairsOfBatch = 4;
  static constexpr std::size_t kLatest = 4096;

  // `memory`: bytes for texts.
  QualityCheck(const Rule& rule, SimdLevel simd, std::uint64_t memory);
  // Waits for the current pair.
  ~QualityCheck();
  QualityCheck(const QualityCheck&) = delete;
  QualityCheck& operator=(const QualityCheck&) = delete;

  // Are pairs with this original sampled?
  static bool is_sampled(Seq original);

  // For the thread that decides. Adds a document that may become an original, with its normalised
  // text.
  void stored(Seq seq, std::string_view text);
  // Offers a pair: its original (or candidate) and the normalised text of the later document.
  void pair(PairKind kind, Seq original, std::string_view text);
  void batch_stored();

  // Any thread.
  QualityStats stats() const;

 private:
  using Text = std::shared_ptr<const std::string>;
  using Clock = std::chrono::steady_clock;
  struct Pair {
    PairKind kind = PairKind::kFlagged;
    Text original;
    std::string text;
  };
  struct Result {
    bool flagged = false;
    bool reaches = false;  // the threshold
    bool near = false;
  };

  std::size_t place_in_reservoir();
  void run();
  bool check_all(const std::vector<Pair>& pairs, Shingler& shingler);
  Result check(const Pair& pair, Shingler& shingler) const;
  void keep(PairKind kind, const Result& result) REQUIRES(mutex_);

  const Rule rule_;
  const SimdLevel simd_;
  const std::uint64_t memory_;

  // Of the thread that decides:
  std::unordered_map<Seq, Text> texts_;
  std::deque<Seq> order_;  // of texts_, oldest first
  std::uint64_t bytes_ = 0;
  std::vector<Pair> reservoir_;
  std::uint64_t offered_ = 0;  // in this batch
  std::uint64_t random_ = 0;

  mutable Mutex mutex_;
  ConditionVariable wake_;
  std::vector<Pair> work_ GUARDED_BY(mutex_);
  bool busy_ GUARDED_BY(mutex_) = false;
  bool stop_ GUARDED_BY(mutex_) = false;
  Clock::time_point rests_until_ GUARDED_BY(mutex_){};
  std::vector<Result> latest_ GUARDED_BY(mutex_);
  std::size_t oldest_ GUARDED_BY(mutex_) = 0;  // of latest_, once it is full
  QualityStats stats_ GUARDED_BY(mutex_);      // without the fields that follow from latest_
  std::thread thread_;
};

}  // namespace neardup
