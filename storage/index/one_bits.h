// Packed 1-bit sketches by seq, in a dense table: the prefilter drops most candidates by them
// before their row is read.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "storage/generation/format.h"

namespace neardup {

// Holds the latest runs of kRunSeqs seqs, as many as the budget has room for.
class OneBits {
 public:
  // The budget is in bytes. Runs with seqs >= `keep` always stay; of the others the oldest are
  // dropped first.
  void set_budget(std::uint64_t budget) { budget_ = budget; }
  void set_keep(Seq keep) { keep_ = keep; }

  // Adds a sketch. Requires: always the same number of words; seqs ascending.
  void put(Seq seq, std::span<const std::uint64_t> words);

  // Adds stored sketches of seqs from `first` on, of one run, with `each` words each. Requires:
  // called in descending order, before the first `put`. False: there is no room for the run.
  bool put_stored(Seq first, std::uint32_t each, std::span<const std::uint64_t> words);

  // The sketch of a seq; null: it is not in memory. Valid until the next `put`.
  const std::uint64_t* get(Seq seq) const {
    const auto run = runs_.find(seq / kRunSeqs);
    if (run == runs_.end() || seq < run->second.first) return nullptr;
    return run->second.words.get() + (seq % kRunSeqs) * each_;
  }

  // The words of [begin, end), seqs of one run, as they are stored: a byte that says how many words
  // a sketch has, then the words. Seqs without a sketch in memory are zeros; where the whole run is
  // not in memory, the byte stands alone.
  std::string stored(Seq begin, Seq end) const;

  std::uint64_t memory_bytes() const { return runs_.size() * run_bytes(); }

 private:
  struct Run {
    Seq first;  // earlier ones are not in memory
    std::unique_ptr<std::uint64_t[]> words;
  };

  std::uint64_t run_bytes() const { return kRunSeqs * each_ * sizeof(std::uint64_t); }
  Run& run_of(Seq seq);
  void fit();

  std::uint64_t budget_ = 0;
  Seq keep_ = 0;
  std::uint32_t each_ = 0;   // words of one sketch, 0 before the first
  std::map<Seq, Run> runs_;  // by seq / kRunSeqs
};

}  // namespace neardup
