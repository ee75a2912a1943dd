// The ages of live documents and ids, in memory: what Retention reads where no store has them.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "pipeline/retention/tombstones.h"
#include "storage/store.h"

namespace neardup {

class AgeLog : private TombstoneListener {
 public:
  // `ages`: by ascending seqs. As of the last commit.
  AgeLog(std::vector<Age> ages, Tombstones& tombstones);

  // Of a seq above all others.
  void add(const Age& age) { ages_.push_back(age); }

  // As Retention::ReadAges. A document that has ended is there, without bytes.
  void read(Seq from, std::size_t limit, std::vector<Age>& ages) const;

  // What was added can be read from now on. Forgets those below `watermark`.
  void committed(Seq watermark);

  std::uint64_t text_bytes() const;

 private:
  void on_tombstone(const Tombstone& tombstone) override;

  std::deque<Age> ages_;
  std::size_t readable_;
};

}  // namespace neardup
