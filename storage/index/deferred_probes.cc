#include "storage/index/deferred_probes.h"

#include <algorithm>

#include "storage/format.h"
#include "storage/rocksdb/read.h"

namespace neardup {
namespace {

// A row and the band keys made from it cost about as much as two pages.
constexpr std::size_t kWorthwhile = 4;

bool is_in(const IndexEntry& entry, const Probe& probe) {
  if (probe.column < kFirstBandColumn) return false;
  const std::size_t band = probe.column - kFirstBandColumn;
  return band < entry.buckets.size() &&
         hash_of(Bucket{static_cast<std::uint16_t>(band), entry.buckets[band]}) == probe.hash;
}

}  // namespace

void DeferredProbes::take(const Generation& generation, std::span<const Probe> probes,
                          std::vector<std::uint32_t>& places) {
  deferred_.clear();
  kept_.clear();
  singles_.clear();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::uint32_t place = places[i];
    if (i > 0 && probes[place].column <= probes[places[i - 1]].column) end_document();
    if (generation.may_repeat(probes[place])) {
      kept_.push_back(place);
    } else {
      singles_.push_back(place);
    }
  }
  end_document();
  places.swap(kept_);
}

void DeferredProbes::end_document() {
  const std::size_t asked = singles_.size() < kWorthwhile ? singles_.size() : 1;
  kept_.insert(kept_.end(), singles_.begin(), singles_.begin() + asked);
  for (std::size_t i = asked; i < singles_.size(); ++i) {
    deferred_.push_back({singles_.front(), singles_[i]});
  }
  singles_.clear();
}

void DeferredProbes::answer(const RocksdbState& state, const MakeIndexEntry& make,
                            std::span<const Probe> probes, std::vector<Hit> hits,
                            const std::function<void(std::uint32_t, Seq)>& visit,
                            std::vector<std::uint32_t>& places) {
  std::sort(hits.begin(), hits.end());
  const auto found_at = [&](std::uint32_t place) -> Seq {
    const auto hit = std::lower_bound(hits.begin(), hits.end(), Hit{place, 0});
    return hit != hits.end() && hit->place == place ? hit->seq : 0;
  };
  for (DeferredProbe& deferred : deferred_) deferred.seq = found_at(deferred.asked);
  std::sort(deferred_.begin(), deferred_.end(), by_seq);
  seqs_.clear();
  for (const DeferredProbe& deferred : deferred_) {
    if (deferred.seq != 0 && (seqs_.empty() || seqs_.back() != deferred.seq)) {
      seqs_.push_back(deferred.seq);
    }
  }
  find_rows(state, Family::kDocs, seqs_, [&](std::size_t i, std::string_view value) {
    const auto row = decode_document(seqs_[i], value);
    if (!row) state.damaged("a document");
    const IndexEntry entry = make(*row);
    for (DeferredProbe& deferred : deferred_of(seqs_[i])) {
      deferred.answered = is_in(entry, probes[deferred.place]);
      if (deferred.answered) visit(deferred.place, seqs_[i]);
    }
  });
  places.clear();
  for (const DeferredProbe& deferred : deferred_) {
    if (!deferred.answered) places.push_back(deferred.place);
  }
}

std::span<DeferredProbes::DeferredProbe> DeferredProbes::deferred_of(Seq seq) {
  const auto [begin, end] =
      std::equal_range(deferred_.begin(), deferred_.end(), DeferredProbe{0, 0, seq}, by_seq);
  return {begin, end};
}

}  // namespace neardup
