#include "storage/index/index_view.h"

#include <algorithm>
#include <utility>

#include "storage/index/one_bit/one_bit_files.h"
#include "storage/rocksdb/read.h"

namespace neardup {

IndexView::IndexView(const RocksdbState& state, const OneBits& bits, const SeqSet& deleted,
                     Seq expired_before, Seq end)
    : state_(state),
      runs_(bits.share()),
      first_(expired_before),
      memory_from_(bits.complete() ? 0
                   : runs_.empty() ? end
                                   : runs_.first()),
      end_(end) {
  if (memory_from_ <= first_) return;
  deleted_ = deleted;
  snapshot_ = std::make_unique<rocksdb::ManagedSnapshot>(&state_.db());
}

void IndexView::visit(Seq from, Seq to,
                      const std::function<bool(const SketchBlock&)>& visit) const {
  from = std::max(from, first_);
  to = std::min(to, end_);
  if (from < memory_from_ && !visit_stored(state_, snapshot_->snapshot(), from,
                                           std::min(to, memory_from_), deleted_, visit)) {
    return;
  }
  runs_.visit(std::max(from, memory_from_), to, visit);
}

void IndexView::look_up(std::span<const Seq> seqs, const VisitSketch& visit) const {
  std::vector<std::size_t> stored;
  runs_.look_up(seqs, [&](std::size_t i, NamespaceTag tag, const std::uint64_t* words) {
    const Seq seq = seqs[i];
    if (seq < first_ || seq >= end_) {
      visit(i, 0, nullptr);
    } else if (seq >= memory_from_) {
      visit(i, tag, words);
    } else {
      stored.push_back(i);
    }
  });
  if (!stored.empty()) look_up_stored(seqs, std::move(stored), visit);
}

// One block of stored sketches is in memory at a time.
void IndexView::look_up_stored(std::span<const Seq> seqs, std::vector<std::size_t> places,
                               const VisitSketch& visit) const {
  std::sort(places.begin(), places.end(),
            [&](std::size_t a, std::size_t b) { return seqs[a] < seqs[b]; });
  auto next = places.begin();
  while (next != places.end()) {
    const Seq from = seqs[*next];
    const Seq run_end = std::min(memory_from_, (from / kRunSeqs + 1) * kRunSeqs);
    this->visit(from, run_end, [&](const SketchBlock& block) {
      for (; next != places.end() && seqs[*next] < block.first + block.count; ++next) {
        if (seqs[*next] < block.first) {
          visit(*next, 0, nullptr);
          continue;
        }
        const Seq at = seqs[*next] - block.first;
        visit(*next, block.tags[at], block.words + at * block.words_each);
      }
      return true;
    });
    for (; next != places.end() && seqs[*next] < run_end; ++next) visit(*next, 0, nullptr);
  }
}

void IndexView::documents(std::span<const Seq> seqs,
                          std::vector<std::optional<DocumentRow>>& rows) const {
  find_documents(state_, seqs, first_, rows);
}

}  // namespace neardup
