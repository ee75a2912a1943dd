#include "storage/index/lookup.h"

#include <algorithm>
#include <numeric>

#include "storage/prefetch.h"

namespace neardup {
namespace {

constexpr std::size_t kSeen = 1 << 13;
constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr std::size_t kManyDeleted = 16;  // postings of deleted documents that a look-up may skip

}  // namespace

// From the oldest postings to the newest, so that a probe with enough hits need not be looked up
// any further.
void IndexLookup::find(const Memtable& memtable, std::span<const Probe> probes, Seq after,
                       std::size_t limit, PostingLists& lists) {
  limit_ = limit;
  hits_.clear();
  counts_.assign(probes.size(), 0);
  find_copies(probes);
  {
    const ReaderLock lock(shared_.mutex);
    for (const auto& generation : shared_.generations) {
      if (generation->manifest.end > after + 1) find_in_generation(*generation, probes, after);
    }
    for (const auto& parked : shared_.parked) find_in_memtable(*parked, probes, after);
    if (shared_.immutable) find_in_memtable(*shared_.immutable, probes, after);
    crowded_.clear();  // those were of memtables that no one changes any more
    find_in_memtable(memtable, probes, after);
  }
  lists.clear(probes.size());
  make_lists(lists);
}

// Finds equal probes, so that hot buckets, which similar documents share, are looked up once. Some
// equal probes may be missed.
void IndexLookup::find_copies(std::span<const Probe> probes) {
  seen_.assign(kSeen, kNone);
  same_.resize(probes.size());
  for (std::uint32_t i = 0; i < probes.size(); ++i) {
    std::uint32_t& seen = seen_[(probes[i].hash ^ probes[i].column) % kSeen];
    same_[i] = seen != kNone && probes[seen] == probes[i] ? seen : i;
    seen = same_[i];
  }
}

// Adds a hit. False: the probe has one hit more than the limit, which shows that there are more.
bool IndexLookup::hit(std::uint32_t place, Seq seq) {
  hits_.push_back({place, seq});
  return ++counts_[place] <= limit_;
}

void IndexLookup::find_in_generation(const Generation& generation, std::span<const Probe> probes,
                                     Seq after) {
  places_.clear();
  for (std::size_t i = 0; i < probes.size(); ++i) {
    if (i + kAhead < probes.size()) prefetch(generation.address(probes[i + kAhead]));
    if (is_open(i) && generation.may_contain(probes[i])) {
      places_.push_back(static_cast<std::uint32_t>(i));
    }
  }
  if (make_) deferred_probes_.take(generation, probes, places_);
  const std::size_t before = hits_.size();
  read_places(generation, probes, after);
  if (deferred_probes_.empty()) return;
  const SeqSet* deleted = &shared_.deleted;
  deferred_probes_.answer(
      state_, make_, probes, {hits_.begin() + static_cast<std::ptrdiff_t>(before), hits_.end()},
      [&](std::uint32_t place, Seq seq) { deleted->contains(seq) || hit(place, seq); }, places_);
  read_places(generation, probes, after);
}

void IndexLookup::read_places(const Generation& generation, std::span<const Probe> probes,
                              Seq after) {
  const SeqSet* deleted = &shared_.deleted;
  find_in_pages(
      state_, generation.manifest, probes, places_, after,
      [&](std::uint32_t place, Seq seq) { return deleted->contains(seq) || hit(place, seq); });
}

void IndexLookup::find_in_memtable(const Memtable& memtable, std::span<const Probe> probes,
                                   Seq after) {
  for (std::size_t i = 0; i < probes.size(); ++i) {
    if (i + kAhead < probes.size()) prefetch(memtable.address(probes[i + kAhead]));
    if (!is_open(i)) continue;
    const std::size_t skipped = memtable.find(probes[i], shared_.deleted, [&](Seq seq) {
      return seq <= after || hit(static_cast<std::uint32_t>(i), seq);
    });
    if (skipped > kManyDeleted) crowded_.push_back(probes[i]);
  }
}

// The hits of a place are ascending, since parts with older seqs were searched earlier.
void IndexLookup::make_lists(PostingLists& lists) {
  ends_.resize(counts_.size());
  std::exclusive_scan(counts_.begin(), counts_.end(), ends_.begin(), std::uint32_t{0});
  seqs_.resize(hits_.size());
  for (const Hit& hit : hits_) seqs_[ends_[hit.place]++] = hit.seq;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const std::size_t count = counts_[i];
    if (count == 0) continue;
    const auto seqs = std::span<const Seq>(seqs_).subspan(ends_[i] - count, count);
    lists.set(i, seqs.first(std::min(count, limit_)), count > limit_);
  }
  for (std::size_t i = 0; i < same_.size(); ++i) {
    if (same_[i] != i) lists.repeat(i, same_[i]);
  }
}

}  // namespace neardup
