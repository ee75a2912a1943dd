// Random histories: every store must answer like the memory store.
#include <gtest/gtest.h>

#include <random>

#include "store_under_test.h"

namespace neardup::testing {
namespace {

constexpr Seq kSeqs = 400;
constexpr std::uint64_t kBuckets = 40;
constexpr std::uint64_t kIds = 60;
constexpr std::uint64_t kBatches = 12;

class History {
 public:
  explicit History(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  Bucket bucket() {
    const std::uint64_t n = below(kBuckets);
    return {static_cast<std::uint16_t>(n % 3 == 0 ? kContentBand : n % 3), n << 58 | n};
  }
  Posting posting() { return {bucket(), 1 + below(kSeqs), static_cast<std::uint16_t>(random_())}; }
  IdKey id() {
    const std::uint64_t n = below(kIds);
    return {std::string(n % 3, '\0'), std::string(1 + n / 3, static_cast<char>(n % 2))};
  }

  // `texts` must outlive the set.
  WriteSet set(std::vector<std::string>& texts) {
    WriteSet writes;
    texts.resize(below(12));
    for (std::string& text : texts) {
      text.assign(below(300), static_cast<char>(random_()));
      writes.documents.push_back(
          {document(1 + below(kSeqs), std::string(1 + below(9), 'x')), text});
    }
    for (std::uint64_t n = below(60); n > 0; --n) writes.postings.push_back(posting());
    for (std::uint64_t n = below(8); n > 0; --n) {
      writes.ids.push_back({id(), {.seq = below(kSeqs), .kept = below(2) == 0}});
    }
    for (std::uint64_t n = below(8); n > 0; --n) writes.erase_documents.push_back(1 + below(kSeqs));
    for (std::uint64_t n = below(30); n > 0; --n) writes.erase_postings.push_back(posting());
    for (std::uint64_t n = below(5); n > 0; --n) writes.erase_ids.push_back(id());
    for (std::uint64_t n = below(4); n > 0; --n) {
      writes.meta.emplace_back("key" + std::to_string(below(9)), std::string(below(3), 'v'));
    }
    for (std::uint64_t n = below(3); n > 0; --n) writes.erase_outbox.push_back(below(kBatches));
    for (std::uint64_t n = below(3); n > 0; --n) {
      writes.outbox.emplace_back(below(kBatches), std::string(1 + below(3000), 'o'));
    }
    return writes;
  }

 private:
  std::mt19937_64 random_;
};

void expect_same_postings(Store& store, Store& model, History& history) {
  std::vector<Bucket> buckets(50);
  for (Bucket& bucket : buckets) bucket = history.bucket();
  const Seq after = history.below(kSeqs);
  const std::size_t limit = history.below(20);
  std::vector<PostingList> got;
  std::vector<PostingList> want;
  store.postings(buckets, after, limit, got);
  model.postings(buckets, after, limit, want);
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    ASSERT_EQ(got[i].seqs, want[i].seqs);
    ASSERT_EQ(got[i].more, want[i].more);
  }
}

void expect_same_rows(Store& store, Store& model) {
  std::vector<std::optional<DocumentRow>> got;
  std::vector<std::optional<DocumentRow>> want;
  std::vector<Seq> seqs;
  for (Seq seq = kSeqs; seq > 0; --seq) seqs.push_back(seq);
  store.documents(seqs, got);
  model.documents(seqs, want);
  for (std::size_t i = 0; i < seqs.size(); ++i) {
    ASSERT_EQ(got[i].has_value(), want[i].has_value()) << seqs[i];
    ASSERT_TRUE(!got[i] || same(*got[i], *want[i])) << seqs[i];
    ASSERT_EQ(store.text(seqs[i]), model.text(seqs[i])) << seqs[i];
  }
}

void expect_same_ids(Store& store, Store& model, History& history) {
  std::vector<IdKey> keys(50);
  for (IdKey& key : keys) key = history.id();
  std::vector<std::optional<IdRow>> got;
  std::vector<std::optional<IdRow>> want;
  store.ids(keys, got);
  model.ids(keys, want);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(got[i].has_value(), want[i].has_value());
    ASSERT_TRUE(!got[i] || same(*got[i], *want[i]));
  }
}

void expect_same_outbox(Store& store, Store& model) {
  for (std::uint64_t batch = 0; batch < kBatches; ++batch) {
    ASSERT_EQ(store.outbox(batch), model.outbox(batch)) << batch;
  }
}

class StoreHistory : public ::testing::TestWithParam<std::tuple<StoreKind, std::uint64_t>> {};

INSTANTIATE_TEST_SUITE_P(All, StoreHistory,
                         ::testing::Combine(::testing::ValuesIn(kStoreKinds),
                                            ::testing::Values(1, 2, 3)),
                         [](const auto& param) {
                           return std::string(std::get<0>(param.param).name) + "Seed" +
                                  std::to_string(std::get<1>(param.param));
                         });

TEST_P(StoreHistory, AnswersLikeTheMemoryStore) {
  const auto& [kind, seed] = GetParam();
  SCOPED_TRACE("seed " + std::to_string(seed));
  const ScratchDirectory scratch;
  const StorageOptions options = options_of(kind, scratch);
  auto store = open_store(options, OpenMode::kReadWrite);
  const auto model = open_store(options_of(kStoreKinds[0], scratch), OpenMode::kReadWrite);
  History history(seed);
  std::vector<std::string> texts;
  for (int round = 0; round < 120; ++round) {
    const WriteSet writes = history.set(texts);
    store->commit(writes);
    model->commit(writes);
    ASSERT_NO_FATAL_FAILURE(expect_same_postings(*store, *model, history));
    ASSERT_NO_FATAL_FAILURE(expect_same_ids(*store, *model, history));
    ASSERT_NO_FATAL_FAILURE(expect_same_outbox(*store, *model));
    ASSERT_EQ(store->meta_with_prefix("key"), model->meta_with_prefix("key"));
    ASSERT_EQ(store->stats().documents, model->stats().documents);
    ASSERT_EQ(store->stats().ids, model->stats().ids);
    if (round % 40 == 39) {
      store->compact();
      model->compact();
      ASSERT_NO_FATAL_FAILURE(expect_same_rows(*store, *model));
    }
    if (round % 50 == 49 && !kind.temporary) {
      store.reset();
      store = open_store(options, OpenMode::kReadWrite);
    }
  }
}

}  // namespace
}  // namespace neardup::testing
