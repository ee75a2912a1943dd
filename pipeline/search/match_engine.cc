#include "pipeline/search/match_engine.h"

#include <algorithm>
#include <future>
#include <utility>

#include "gpu/search/match_count.h"
#include "gpu/search/row_scan.h"
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
  std::uint32_t gate;
  std::uint32_t limit;  // of differing bits
  std::uint32_t words;  // of a 1-bit sketch
};

// Some of the queries, searched by one thread.
class Search {
 public:
  Search(const Shared& shared, const Keywords& keywords, std::span<const EngineQuery> queries,
         std::size_t most)
      : shared_(shared), queries_(queries), keywords_each_(keywords.count()) {
    keywords_.resize(queries.size() * keywords_each_);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      keywords.of(queries[i].sketch, keywords_.data() + i * keywords_each_);
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
  const std::uint16_t* keywords(std::size_t query) const {
    return keywords_.data() + query * keywords_each_;
  }

  void search(const Segment& segment, std::size_t from, std::size_t to) {
    seqs_.clear();
    owners_.clear();
    const KeywordPostings& postings = segment.postings();
    MatchCounter::prefetch(postings, keywords(from));
    for (std::size_t query = from; query < to; ++query) {
      if (query + 1 < to) MatchCounter::prefetch(postings, keywords(query + 1));
      reached_.clear();
      counter_.reach(postings, keywords(query), shared_.gate, reached_);
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
        if (equal_keywords(tail, place, keywords(query)) >= shared_.gate) {
          nearest_[query].offer(near.distance, near.seq);
        }
      }
    }
  }

  std::uint32_t equal_keywords(const TailView& tail, std::size_t place,
                               const std::uint16_t* query) const {
    std::uint32_t equal = 0;
    for (std::uint32_t i = 0; i < keywords_each_; ++i) {
      equal += tail.column(i)[place] == query[i] ? 1 : 0;
    }
    return equal;
  }

  const Shared& shared_;
  std::span<const EngineQuery> queries_;
  std::size_t keywords_each_;
  std::vector<std::uint16_t> keywords_;
  std::vector<Shortlist> nearest_;
  MatchCounter counter_;
  std::vector<std::uint32_t> reached_;
  std::vector<Seq> seqs_;              // reached by some queries
  std::vector<std::uint32_t> owners_;  // the query of each
};

class MatchEngine : public SearchEngine {
 public:
  MatchEngine(const SketchShape& shape, const MatchOptions& options,
              std::shared_ptr<KeywordIndex> index, const CpuOptions& cpu)
      : shape_(shape),
        keywords_(shape, options.keywords),
        gate_(MatchOptions{keywords_.count()}.gate()),
        index_(std::move(index)),
        threads_(thread_count(cpu.threads)),
        scan_(cpu) {}

  std::string_view name() const override { return "match"; }

  std::vector<Nominated> nominate(const SketchView& view, std::span<const EngineQuery> queries,
                                  const Wanted& wanted) const override {
    index_->follow(view);
    const KeywordParts parts = index_->parts();
    const Shared shared{view,
                        parts,
                        scan_,
                        gate_,
                        most_differing_bits(shape_.slots, wanted.min_similarity),
                        shape_.one_bit_words()};
    const std::size_t threads =
        std::clamp<std::size_t>(queries.size() / kQueriesAThread, 1, threads_);
    const auto bound = [&](std::size_t i) { return queries.size() * i / threads; };
    const auto work = [&](std::size_t i) {
      const auto part = queries.subspan(bound(i), bound(i + 1) - bound(i));
      return Search(shared, keywords_, part, wanted.most).run();
    };
    std::vector<std::future<std::vector<Shortlist>>> others;
    for (std::size_t i = 1; i < threads; ++i) {
      others.push_back(std::async(std::launch::async, work, i));
    }
    std::vector<Nominated> found;
    take(work(0), shared, found);
    for (auto& other : others) take(other.get(), shared, found);
    for (std::size_t i = 0; i < queries.size(); ++i) found[i].searched = view.count(queries[i].tag);
    return found;
  }

 private:
  void take(std::vector<Shortlist> lists, const Shared& shared,
            std::vector<Nominated>& found) const {
    for (Shortlist& list : lists) {
      Nominated& nominated = found.emplace_back();
      nominated.documents = list.finish();
      // With fewer keywords in common, so many keywords and as many values differ.
      std::uint32_t differing = keywords_.count() - gate_ + 1;
      differing = std::min(differing, shared.limit + 1);
      if (list.full()) differing = std::min(differing, nominated.documents.back().distance);
      nominated.most_equal_elsewhere = shape_.slots - std::min(differing, shape_.slots);
    }
  }

  SketchShape shape_;
  Keywords keywords_;
  std::uint32_t gate_;
  std::shared_ptr<KeywordIndex> index_;
  std::size_t threads_;
  RowScan scan_;
};

}  // namespace

MakeKeywords keyword_maker(const Keywords& keywords) {
  return [keywords](const DocumentRow& row, std::uint16_t* out) {
    keywords.of(row.sketch.data(), out);
  };
}

std::unique_ptr<SearchEngine> make_match_engine(const SketchShape& shape,
                                                const MatchOptions& options,
                                                std::shared_ptr<KeywordIndex> index,
                                                const CpuOptions& cpu) {
  return std::make_unique<MatchEngine>(shape, options, std::move(index), cpu);
}

}  // namespace neardup
