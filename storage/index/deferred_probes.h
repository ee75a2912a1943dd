// Probes whose pages need not be read. A copy shares most of its buckets with one document: the
// page of one bucket shows which document that is, and the row of that document shows its other
// buckets.
//
// Only hashes with a single posting in the generation are deferred: if the row shows that the
// document is in such a bucket, no other document is.
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

// The deferred probes of one generation in one call of Index::find.
class DeferredProbes {
 public:
  // Removes the places from `places` (ascending) that another place of the same document may
  // answer. A new document begins where the columns stop ascending; a wrong guess costs only time.
  void take(const Generation& generation, std::span<const Probe> probes,
            std::vector<std::uint32_t>& places);

  bool empty() const { return deferred_.empty(); }

  // `hits` are those of the places that `take` left. Reads the rows of their documents and calls
  // visit(place, seq) for each deferred place that is answered. `places` becomes the unanswered
  // ones.
  void answer(const RocksdbState& state, const MakeIndexEntry& make, std::span<const Probe> probes,
              std::vector<Hit> hits, const std::function<void(std::uint32_t, Seq)>& visit,
              std::vector<std::uint32_t>& places);

 private:
  struct DeferredProbe {
    std::uint32_t asked;  // the place that is looked up instead
    std::uint32_t place;
    Seq seq = 0;  // of the document found at `asked`; 0: none
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
