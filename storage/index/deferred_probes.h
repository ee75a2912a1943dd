// Look-ups that one row answers. A copy shares most of its buckets with one document: the page of
// one bucket tells which document that is, and its row tells the others, whose pages need not be
// read.
//
// Only hashes of which the generation has a single posting are deferred: a bucket that is known to
// hold that document then holds no other.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "storage/generation/columns.h"
#include "storage/generation/generation.h"
#include "storage/rocksdb/state.h"
#include "storage/store.h"

namespace neardup {

// A posting was found for the probe at `place`.
struct Hit {
  std::uint32_t place;
  Seq seq;
  auto operator<=>(const Hit&) const = default;
};

// Of one generation and one call of find.
class DeferredProbes {
 public:
  // Takes those out of `places`, ascending, that another place of the same document may answer.
  // Documents are distinguished by their bands, which ascend; a wrong guess costs time only.
  void take(const Generation& generation, std::span<const Probe> probes,
            std::vector<std::uint32_t>& places);

  bool empty() const { return deferred_.empty(); }

  // `hits` are those of the places that were left. Calls visit(place, seq) for what their rows
  // answer; what they do not is put into `places`.
  void answer(const RocksdbState& state, const MakeIndexEntry& make, std::span<const Probe> probes,
              std::vector<Hit> hits, const std::function<void(std::uint32_t, Seq)>& visit,
              std::vector<std::uint32_t>& places);

 private:
  struct DeferredProbe {
    std::uint32_t asked;  // the place that is looked up for it
    std::uint32_t place;
    Seq seq = 0;  // of the document found there; 0: none
    bool answered = false;
  };
  static bool by_seq(const DeferredProbe& a, const DeferredProbe& b) { return a.seq < b.seq; }

  void end_document();
  std::span<DeferredProbe> deferred_of(Seq seq);

  std::vector<DeferredProbe> deferred_;
  std::vector<std::uint32_t> kept_;     // places that are looked up
  std::vector<std::uint32_t> singles_;  // places of one document, with one posting each
  std::vector<Seq> seqs_;
};

}  // namespace neardup
