// Packed 1-bit sketches by seq, in a dense table: the prefilter drops most candidates by them
// before their row is read, and searches compare all of them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "storage/index/one_bit/sketch_runs.h"

namespace neardup {

// Holds the latest runs of kRunSeqs seqs, as many as the budget has room for.
class OneBits {
 public:
  // The budget is in bytes. Runs with seqs >= `keep` always stay; of the others the oldest are
  // dropped first.
  void set_budget(std::uint64_t budget) { budget_ = budget; }
  void set_keep(Seq keep) { keep_ = keep; }

  // Whether every sketch of the state is in memory.
  bool complete() const { return complete_; }
  void set_incomplete() { complete_ = false; }

  // Adds a sketch. Requires: always the same number of words; seqs ascending; tag is not 0.
  void put(Seq seq, NamespaceTag tag, std::span<const std::uint64_t> words);
  // The document of the seq, if there is one, is deleted: it loses its tag.
  void erase(Seq seq);

  // Adds stored sketches of seqs from `first` on, of one run, with `each` words each. Requires:
  // called in descending order, before the first `put`. False: there is no room for the run, and
  // older ones must not be added either.
  bool put_stored(Seq first, std::uint32_t each, std::span<const std::uint64_t> words);
  // Sets the tags of the seqs below `end` of a run that is in memory. Requires: before the first
  // `put`.
  void put_stored_tags(std::uint64_t run, const RunTags& tags, Seq end);

  // The sketch of a seq; null: it is not in memory. Valid until the next `put`.
  const std::uint64_t* get(Seq seq) const {
    const auto run = runs_.find(seq / kRunSeqs);
    if (run == runs_.end() || seq < run->second.first) return nullptr;
    return run->second.words.get() + (seq % kRunSeqs) * each_;
  }

  // The words of [begin, end), seqs of one run, as they are stored: a byte that says how many words
  // a sketch has (0 for 256, the most), then the words. Seqs without a sketch in memory are zeros;
  // where the whole run is not in memory, the byte stands alone.
  std::string stored(Seq begin, Seq end) const;

  // The numbers of the runs in memory, ascending.
  std::vector<std::uint64_t> run_numbers() const;
  // Copies the tags of a run, as far as they are in memory: those of the seqs from the result on.
  Seq copy_tags(std::uint64_t run, RunTags& tags) const;
  // All runs, for a view.
  SketchRuns share() const;

  std::uint64_t memory_bytes() const { return runs_.size() * run_bytes(); }

 private:
  std::uint64_t run_bytes() const {
    return kRunSeqs * each_ * sizeof(std::uint64_t) + sizeof(RunTags);
  }
  SketchRun& run_of(Seq seq);
  void fit();

  std::uint64_t budget_ = 0;
  Seq keep_ = 0;
  bool complete_ = true;
  std::uint32_t each_ = 0;         // words of one sketch, 0 before the first
  std::map<Seq, SketchRun> runs_;  // by seq / kRunSeqs
};

}  // namespace neardup
