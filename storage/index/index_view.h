// A SketchView of an index: runs that it shares with the table in memory, and stored ones.
#pragma once

#include <rocksdb/snapshot.h>

#include <memory>
#include <vector>

#include "storage/index/one_bit/one_bits.h"
#include "storage/index/seq_set.h"
#include "storage/rocksdb/state.h"
#include "storage/sketch_view.h"

namespace neardup {

class IndexView : public SketchView {
 public:
  // All of one commit. The state must outlive this.
  IndexView(const RocksdbState& state, const OneBits& bits, const SeqSet& deleted,
            Seq expired_before, Seq end);

  Seq end() const override { return end_; }
  void visit(Seq from, Seq to, const std::function<bool(const SketchBlock&)>& visit) const override;
  void look_up(std::span<const Seq> seqs, const VisitSketch& visit) const override;
  void documents(std::span<const Seq> seqs,
                 std::vector<std::optional<DocumentRow>>& rows) const override;

 private:
  void look_up_stored(std::span<const Seq> seqs, std::vector<std::size_t> places,
                      const VisitSketch& visit) const;

  const RocksdbState& state_;
  SketchRuns runs_;
  Seq first_;        // all smaller seqs are expired
  Seq memory_from_;  // where the runs in memory begin
  Seq end_;
  // Of what is not in memory: deleted documents that may have tags, and the stored tags as of the
  // commit. Empty when all seqs are in memory.
  SeqSet deleted_;
  std::unique_ptr<rocksdb::ManagedSnapshot> snapshot_;
};

}  // namespace neardup
