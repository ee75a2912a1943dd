#include "pipeline/quality_check.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "gpu/hd/arithmetic.h"
#include "pipeline/match/exact_sets.h"

namespace neardup {
namespace {

constexpr std::uint64_t kSampledOf = 32;
constexpr Ppm kNearThreshold = 50'000;
constexpr std::uint64_t kLongestShare = 16;  // of the budget, for one text
constexpr int kRestForWork = 1000;           // 0.1 % of one core
constexpr int kLowestPriority = 19;

double thread_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace

QualityCheck::QualityCheck(const Rule& rule, SimdLevel simd, std::uint64_t memory)
    : rule_(rule), simd_(simd), memory_(memory), thread_([this] { run(); }) {}

QualityCheck::~QualityCheck() {
  {
    const MutexLock lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

bool QualityCheck::is_sampled(Seq original) { return hd::mix64(original) % kSampledOf == 0; }

void QualityCheck::stored(Seq seq, std::string_view text) {
  if (!is_sampled(seq) || text.size() > memory_ / kLongestShare) return;
  texts_.emplace(seq, std::make_shared<const std::string>(text));
  order_.push_back(seq);
  bytes_ += text.size();
  while (bytes_ > memory_) {
    const auto oldest = texts_.find(order_.front());
    bytes_ -= oldest->second->size();
    texts_.erase(oldest);
    order_.pop_front();
  }
}

void QualityCheck::pair(PairKind kind, Seq original, std::string_view text) {
  if (!is_sampled(original)) return;
  const auto held = texts_.find(original);
  if (held == texts_.end() || text.size() > memory_ / kLongestShare) {
    const MutexLock lock(mutex_);
    ++stats_.skipped_no_text;
    return;
  }
  const std::size_t place = place_in_reservoir();
  if (place == kPairsOfBatch) return;
  if (place == reservoir_.size()) reservoir_.emplace_back();
  reservoir_[place] = {kind, held->second, std::string(text)};
}

// The place of the current pair; kPairsOfBatch: none.
std::size_t QualityCheck::place_in_reservoir() {
  if (offered_++ < kPairsOfBatch) return reservoir_.size();
  const std::uint64_t place = hd::mix64(++random_) % offered_;
  return std::min<std::size_t>(place, kPairsOfBatch);
}

void QualityCheck::batch_stored() {
  offered_ = 0;
  if (reservoir_.empty()) return;
  {
    const MutexLock lock(mutex_);
    if (busy_ || Clock::now() < rests_until_) {
      stats_.skipped_busy += reservoir_.size();
    } else {
      work_ = std::exchange(reservoir_, {});
      busy_ = true;
    }
  }
  reservoir_.clear();
  wake_.notify_all();
}

void QualityCheck::run() {
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kLowestPriority);
  Shingler shingler(rule_.plan.shingle, rule_.plan.sketch.seed, simd_);
  while (true) {
    std::vector<Pair> pairs;
    {
      MutexLock lock(mutex_);
      while (!stop_ && !busy_) wake_.wait(lock);
      if (stop_) return;
      pairs = std::exchange(work_, {});
    }
    if (!check_all(pairs, shingler)) return;
  }
}

// False: the thread has to stop.
bool QualityCheck::check_all(const std::vector<Pair>& pairs, Shingler& shingler) {
  const double start = thread_cpu_seconds();
  for (const Pair& pair : pairs) {
    const Result result = check(pair, shingler);
    const MutexLock lock(mutex_);
    if (stop_) return false;
    keep(pair.kind, result);
  }
  const double spent = thread_cpu_seconds() - start;
  const MutexLock lock(mutex_);
  stats_.cpu_seconds += spent;
  rests_until_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                    std::chrono::duration<double>(spent * kRestForWork));
  busy_ = false;
  return true;
}

QualityCheck::Result QualityCheck::check(const Pair& pair, Shingler& shingler) const {
  const Overlap found =
      overlap(shingler.sorted_set(pair.text), shingler.sorted_set(*pair.original));
  const std::uint64_t threshold = rule_.decision.threshold;
  const bool reaches = found.common * kOne >= threshold * found.all;
  const bool above = found.common * kOne > (threshold + kNearThreshold) * found.all;
  return {pair.kind == PairKind::kFlagged, reaches, reaches && !above};
}

void QualityCheck::keep(PairKind kind, const Result& result) {
  ++stats_.compared[static_cast<std::size_t>(kind)];
  if (latest_.size() < kLatest) {
    latest_.push_back(result);
    return;
  }
  latest_[oldest_] = result;
  oldest_ = (oldest_ + 1) % kLatest;
}

QualityStats QualityCheck::stats() const {
  const MutexLock lock(mutex_);
  QualityStats stats = stats_;
  for (const Result& result : latest_) {
    stats.flagged += result.flagged;
    stats.flagged_right += result.flagged && result.reaches;
    stats.near += result.near;
    stats.near_flagged += result.near && result.flagged;
  }
  return stats;
}

}  // namespace neardup
