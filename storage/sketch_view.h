// The packed 1-bit sketches of all live documents as of one commit, for searches concurrent with
// later commits.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "pipeline/base/mutex.h"
#include "pipeline/model/sketch_block.h"

namespace neardup {

struct DocumentRow;

NamespaceTag namespace_tag(std::string_view name_space);

// Later commits do not change it, except that documents that they let expire may be missing. May be
// read by several threads, concurrently with the store that made it, which must outlive it.
class SketchView {
 public:
  virtual ~SketchView() = default;

  // All documents of the view have smaller seqs.
  virtual Seq end() const = 0;

  // Calls visit(block) for the blocks of the seqs in [from, to), ascending, until it returns false.
  // Seqs without a document may be left out. Failure(kIo) when sketches that are not in memory
  // cannot be read.
  virtual void visit(Seq from, Seq to,
                     const std::function<bool(const SketchBlock&)>& visit) const = 0;

  // Calls visit(i, tag, words) for each of the seqs, in any order: the tag of the document of
  // seqs[i] and its packed 1-bit sketch. Tag 0: the view has no such document with a sketch.
  // Failure(kIo) as above.
  using VisitSketch = std::function<void(std::size_t i, NamespaceTag, const std::uint64_t* words)>;
  virtual void look_up(std::span<const Seq> seqs, const VisitSketch& visit) const = 0;

  // The number of documents with a sketch that have this tag. Counted once, then remembered.
  std::uint64_t count(NamespaceTag tag) const EXCLUDES(counts_mutex_);

  // rows[i] is the row of seqs[i], or nothing: not a document of the view, or one that a later
  // commit has ended. `rows` is resized.
  virtual void documents(std::span<const Seq> seqs,
                         std::vector<std::optional<DocumentRow>>& rows) const = 0;

 private:
  mutable Mutex counts_mutex_;
  mutable std::map<NamespaceTag, std::uint64_t> counts_ GUARDED_BY(counts_mutex_);
};

}  // namespace neardup
