#include "pipeline/search/lsh_engine.h"

#include <algorithm>
#include <vector>

#include "gpu/cpu/sketcher.h"
#include "gpu/keys.h"
#include "gpu/search/row_scan.h"

namespace neardup {
namespace {

class LshEngine : public SearchEngine {
 public:
  LshEngine(const SketchPlan& plan, Store& store, const CpuOptions& cpu)
      : plan_(plan), keys_of_bands_(make_band_keys(plan)), store_(store), scan_(cpu) {}

  std::string_view name() const override { return "lsh"; }

  std::vector<Nominated> nominate(const SketchView& view, std::span<const EngineQuery> queries,
                                  const Wanted& wanted) const override {
    std::vector<Nominated> found;
    for (const EngineQuery& query : queries) found.push_back(nominate(view, query, wanted.most));
    return found;
  }

 private:
  // The documents of the buckets of a query.
  struct Members {
    std::vector<Seq> seqs;  // ascending
    bool all = true;        // no bucket has more of them
  };

  // Of a bucket with more than `most` documents, the oldest.
  Members members(const EngineQuery& query, std::size_t most) const {
    std::vector<std::uint64_t> keys(plan_.bands);
    band_keys(plan_, keys_of_bands_, query.sketch,
              hash_namespace(plan_.sketch.seed, query.name_space), keys.data());
    std::vector<Bucket> buckets;
    for (std::uint32_t band = 0; band < plan_.bands; ++band) {
      buckets.push_back({static_cast<std::uint16_t>(band), keys[band]});
    }
    PostingLists lists;
    store_.postings(buckets, 0, most, lists);
    Members found;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const std::span<const Seq> seqs = lists.seqs(i);
      found.seqs.insert(found.seqs.end(), seqs.begin(), seqs.end());
      found.all = found.all && !lists.more(i);
    }
    std::ranges::sort(found.seqs);
    const auto repeated = std::ranges::unique(found.seqs);
    found.seqs.erase(repeated.begin(), repeated.end());
    return found;
  }

  Nominated nominate(const SketchView& view, const EngineQuery& query, std::size_t most) const {
    const Members found = members(query, most);
    Shortlist nearest(most);
    view.look_up(found.seqs, [&](std::size_t i, NamespaceTag tag, const std::uint64_t* one_bit) {
      if (tag != query.tag || found.seqs[i] == query.except) return;
      nearest.offer(scan_.distance(one_bit, query.one_bit, plan_.shape().one_bit_words()),
                    found.seqs[i]);
    });
    Nominated nominated;
    nominated.documents = nearest.finish();
    nominated.searched = view.count(query.tag);
    // A document in none of the buckets has a differing value in each band.
    std::uint32_t differing = found.all ? plan_.bands : 0;
    if (nearest.full()) differing = std::min(differing, nominated.documents.back().distance);
    nominated.most_equal_elsewhere = plan_.sketch.size - differing;
    return nominated;
  }

  SketchPlan plan_;
  std::vector<std::uint64_t> keys_of_bands_;
  Store& store_;
  RowScan scan_;
};

}  // namespace

std::unique_ptr<SearchEngine> make_lsh_engine(const SketchPlan& plan, Store& store,
                                              const CpuOptions& cpu) {
  return std::make_unique<LshEngine>(plan, store, cpu);
}

}  // namespace neardup
