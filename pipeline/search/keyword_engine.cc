#include "pipeline/search/keyword_engine.h"

#include <algorithm>
#include <utility>

#include "gpu/search/match_count.h"
#include "gpu/search/row_scan.h"
#include "pipeline/core/in_threads.h"
#include "pipeline/search/reach.h"
#include "storage/control_group.h"
#include "storage/store.h"

namespace neardup {
namespace {

// So many queries are counted before their documents are looked up.
constexpr std::size_t kQueriesAtOnce = 64;
// Fewer queries take less time than starting a thread.
constexpr std::size_t kQueriesAThread = 16;

// What all queries of a call share.
struct Shared {
  const SketchView& view;
  const KeywordParts& parts;
  const RowScan& scan;
  const KeywordSearch& search;
  const std::vector<KeywordProbe>& probes;
  std::uint32_t limit;  // of differing bits
  std::uint32_t words;  // of a 1-bit sketch
};

// Some of the queries, searched by one thread.
class Search {
 public:
  Search(const Shared& shared, std::span<const EngineQuery> queries, std::size_t most)
      : shared_(shared),
        queries_(queries),
        keywords_each_(shared.search.keywords.count()),
        counter_(shared.probes) {
    keywords_.resize(queries.size() * keywords_each_);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const bool of_bits = shared.search.source == KeywordSource::kOneBit;
      shared.search.keywords.of(of_bits ? queries[i].one_bit : queries[i].sketch,
                                keywords_.data() + i * keywords_each_);
    }
    nearest_.assign(queries.size(), Shortlist(most));
  }

  std::vector<Shortlist> run() {
    for (const auto& segment : shared_.parts.segments) {
      for (std::size_t from = 0; from < queries_.size(); from += kQueriesAtOnce) {
        search(*segment, from, std::min(from + kQueriesAtOnce, queries_.size()));
      }
    }
    search_tail();
    return std::move(nearest_);
  }

 private:
  const std::uint32_t* keywords(std::size_t query) const {
    return keywords_.data() + query * keywords_each_;
  }

  void search(const Segment& segment, std::size_t from, std::size_t to) {
    seqs_.clear();
    owners_.clear();
    const KeywordPostings& postings = segment.postings();
    counter_.prefetch(postings, keywords(from));
    for (std::size_t query = from; query < to; ++query) {
      if (query + 1 < to) counter_.prefetch(postings, keywords(query + 1));
      reached_.clear();
      counter_.reach(postings, keywords(query), shared_.search.gate, reached_);
      for (const std::uint32_t place : reached_) segment.prefetch_seq(place);
      for (const std::uint32_t place : reached_) seqs_.push_back(segment.seq(place));
      owners_.resize(seqs_.size(), static_cast<std::uint32_t>(query));
    }
    shared_.view.look_up(seqs_, [&](std::size_t i, NamespaceTag tag, const std::uint64_t* one_bit) {
      const EngineQuery& query = queries_[owners_[i]];
      if (tag != query.tag || seqs_[i] == query.except) return;
      const std::uint32_t distance = shared_.scan.distance(one_bit, query.one_bit, shared_.words);
      if (distance <= shared_.limit) {
        nearest_[owners_[i]].offer(distance, seqs_[i]);
      }
    });
  }

  // The same documents, found in the other order: first those within the limit, of them those that
  // reach the gate. There are too few for postings.
  void search_tail() {
    const TailView& tail = shared_.parts.tail;
    if (tail.size() == 0) return;
    std::vector<RowQuery> rows;
    for (const EngineQuery& query : queries_) {
      rows.push_back(
          {query.one_bit, query.tag, query.except, Shortlist(tail.size(), shared_.limit + 1)});
    }
    shared_.view.visit(tail.seqs().front(), tail.seqs().back() + 1, [&](const SketchBlock& block) {
      shared_.scan.add(block, rows);
      return true;
    });
    for (std::size_t query = 0; query < rows.size(); ++query) {
      for (const NearSeq& near : rows[query].nearest.finish()) {
        const auto at = std::ranges::lower_bound(tail.seqs(), near.seq);
        if (at == tail.seqs().end() || *at != near.seq) continue;
        const auto place = static_cast<std::size_t>(at - tail.seqs().begin());
        if (score(tail, place, keywords(query)) >= shared_.search.gate) {
          nearest_[query].offer(near.distance, near.seq);
        }
      }
    }
  }

  std::uint32_t score(const TailView& tail, std::size_t place, const std::uint32_t* query) const {
    std::uint32_t score = 0;
    for (std::uint32_t i = 0; i < keywords_each_; ++i) {
      score += counter_.weight(tail.column(i)[place], query[i]);
    }
    return score;
  }

  const Shared& shared_;
  std::span<const EngineQuery> queries_;
  std::size_t keywords_each_;
  std::vector<std::uint32_t> keywords_;
  std::vector<Shortlist> nearest_;
  MatchCounter counter_;
  std::vector<std::uint32_t> reached_;
  std::vector<Seq> seqs_;              // reached by some queries
  std::vector<std::uint32_t> owners_;  // the query of each
};

class KeywordEngine : public SearchEngine {
 public:
  KeywordEngine(const SketchShape& shape, const KeywordSearch& search,
                std::shared_ptr<KeywordIndex> index, const CpuOptions& cpu)
      : shape_(shape),
        search_(search),
        probes_(keyword_probes(kKeywordBits, search.errors, search.heaviest)),
        index_(std::move(index)),
        threads_(thread_count(cpu.threads)),
        scan_(cpu) {}

  std::string_view name() const override { return search_.engine; }

  std::vector<Nominated> nominate(const SketchView& view, std::span<const EngineQuery> queries,
                                  const Wanted& wanted) const override {
    index_->follow(view);
    const KeywordParts parts = index_->parts();
    const Shared shared{view,
                        parts,
                        scan_,
                        search_,
                        probes_,
                        most_differing_bits(shape_.slots, wanted.min_similarity),
                        shape_.one_bit_words()};
    const std::size_t threads =
        std::clamp<std::size_t>(queries.size() / kQueriesAThread, 1, threads_);
    std::vector<Nominated> found(queries.size());
    in_threads(threads, [&](std::size_t i) {
      const std::size_t from = queries.size() * i / threads;
      const auto part = queries.subspan(from, queries.size() * (i + 1) / threads - from);
      std::vector<Shortlist> lists = Search(shared, part, wanted.most).run();
      for (std::size_t j = 0; j < lists.size(); ++j) {
        found[from + j] = nominated(lists[j], shared.limit);
      }
    });
    for (std::size_t i = 0; i < queries.size(); ++i) found[i].searched = view.count(queries[i].tag);
    return found;
  }

 private:
  Nominated nominated(Shortlist& list, std::uint32_t limit) const {
    Nominated nominated;
    nominated.documents = list.finish();
    std::uint32_t differing = std::min(search_.least_differing(), limit + 1);
    if (list.full()) differing = std::min(differing, nominated.documents.back().distance);
    nominated.most_equal_elsewhere = shape_.slots - std::min(differing, shape_.slots);
    return nominated;
  }

  SketchShape shape_;
  KeywordSearch search_;
  std::vector<KeywordProbe> probes_;
  std::shared_ptr<KeywordIndex> index_;
  std::size_t threads_;
  RowScan scan_;
};

}  // namespace

std::unique_ptr<SearchEngine> make_keyword_engine(const SketchShape& shape,
                                                  const KeywordSearch& search,
                                                  std::shared_ptr<KeywordIndex> index,
                                                  const CpuOptions& cpu) {
  return std::make_unique<KeywordEngine>(shape, search, std::move(index), cpu);
}

}  // namespace neardup
