// What a document costs does not grow with what is stored, nor with what the batch has ended.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <functional>
#include <list>
#include <numeric>

#include "pipeline/resolve.h"
#include "tests/unit/pipeline/documents.h"
#include "tests/unit/pipeline/forwarding_store.h"

namespace neardup::TEST_FILE {
namespace {

// A store that counts the postings and rows that it is asked for.
class CountingStore : public ForwardingStore {
 public:
  std::uint64_t asked() const { return asked_; }

  void postings(std::span<const Bucket> buckets, Seq after, std::size_t limit,
                PostingLists& lists) override {
    ForwardingStore::postings(buckets, after, limit, lists);
    asked_ += buckets.size() + lists.all().size();
  }
  void documents(std::span<const Seq> seqs,
                 std::vector<std::optional<DocumentRow>>& rows) override {
    ForwardingStore::documents(seqs, rows);
    asked_ += seqs.size();
  }
  // The postings of ended documents go, as RocksDB's index steps over them.
  void commit(const WriteSet& writes) override {
    ForwardingStore::commit(writes);
    compact();
  }

 private:
  std::uint64_t asked_ = 0;
};

class BoundedWork : public testing::TestWithParam<Against> {
 protected:
  static constexpr int kDocuments = 2'000;
  static constexpr int kBatch = 1'000;
  static constexpr int kChunk = 50;

  BoundedWork() {
    rule_.bucket_cap = 8;
    rule_.decision.against = GetParam();
    resolver_.emplace(rule_, FilterOptions{}, CpuOptions{}, KeepTexts::kNone, store_);
  }

  // Makes document i of kDocuments.
  using Make = std::function<void(BatchMaker&, int)>;

  // What the documents of each chunk cost.
  std::vector<std::uint64_t> costs(const Make& make) {
    std::vector<std::uint64_t> costs;
    for (int i = 0; i < kDocuments; i += kChunk) {
      BatchMaker maker(rule_);
      for (int k = 0; k < kChunk; ++k) make(maker, i + k);
      chunks_.push_back(maker.take());
      const std::uint64_t before = store_.asked();
      std::vector<Flag> flags;
      resolver_->resolve(chunks_.back(), flags);
      costs.push_back(store_.asked() - before);
      if ((i + kChunk) % kBatch == 0) commit();
    }
    return costs;
  }

  // `costs` of the last tenth are not much more than those of the second.
  static void expect_steady(const std::vector<std::uint64_t>& costs) {
    const auto tenth = static_cast<std::ptrdiff_t>(costs.size() / 10);
    const auto second = std::accumulate(costs.begin() + tenth, costs.begin() + 2 * tenth, 0.0);
    const auto last = std::accumulate(costs.end() - tenth, costs.end(), 0.0);
    const double documents = kDocuments / 10.0;
    EXPECT_LE(last, 1.3 * second + documents)
        << second / documents << " at the start, " << last / documents << " at the end";
  }

  void commit() {
    WriteSet writes;
    resolver_->fill(writes);
    store_.commit(writes);
    resolver_->committed(writes);
    chunks_.clear();
  }

  Rule rule_ = small_rule();
  CountingStore store_;
  std::optional<Resolver> resolver_;
  std::list<SketchedBatch> chunks_;
};

TEST_P(BoundedWork, one_text_in_as_many_namespaces) {
  expect_steady(costs([](BatchMaker& maker, int i) {
    maker.document("404", "aaaabbbbccccdddd", "", fmt::format("site {}", i));
  }));
}

// All pages share the first band.
TEST_P(BoundedWork, a_templated_site_that_is_crawled_again) {
  const auto page = [](int crawl) {
    return [crawl](BatchMaker& maker, int i) {
      maker.document(fmt::format("page {}", i), fmt::format("aaaa{:04}{:04}{:04}", i, crawl, i));
    };
  };
  costs(page(0));
  for (const int crawl : {1, 2}) expect_steady(costs(page(crawl)));
}

TEST_P(BoundedWork, a_text_that_leaves_page_by_page_and_comes_on_others) {
  costs([](BatchMaker& maker, int i) {
    maker.document(fmt::format("page {}", i), "aaaabbbbccccdddd");
  });
  expect_steady(costs([](BatchMaker& maker, int i) {
    maker.document(fmt::format("page {}", i), fmt::format("{0:04}{0:04}{0:04}{0:04}", i));
    maker.document(fmt::format("other page {}", i), "aaaabbbbccccdddd");
  }));
}

INSTANTIATE_TEST_SUITE_P(Against, BoundedWork, testing::Values(Against::kKept, Against::kAll),
                         [](const auto& param) {
                           return std::string(param.param == Against::kAll ? "all" : "kept");
                         });

}  // namespace
}  // namespace neardup::TEST_FILE
