#include "pipeline/resolve.h"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include <functional>
#include <list>
#include <optional>

#include "pipeline/base/failure.h"
#include "pipeline/state_keys.h"
#include "storage/memory_store.h"
#include "tests/unit/pipeline/batches.h"
#include "tests/unit/pipeline/documents.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// b has 13 of a's values, c 13 of b's but 10 of a's.
constexpr std::string_view kA = "aaaabbbbccccdddd";
constexpr std::string_view kB = "xyzabbbbccccdddd";
constexpr std::string_view kC = "xyzabbbbccccduvw";
constexpr std::string_view kOther = "qqqqrrrrsssstttt";

// "unique", "near_duplicate of a#1", "unique after #3"
std::string words(const Flag& flag) {
  std::string text(name(flag.status));
  if (flag.original) text += fmt::format(" of {}#{}", flag.original->id, flag.original->seq);
  if (flag.previous) text += fmt::format(" after #{}", flag.previous->seq);
  if (flag.verdict) {
    text += fmt::format(" as #{}, kept {}, {}#{} {}", flag.verdict->seq, flag.verdict->kept,
                        flag.verdict->original_id.value_or("?"), flag.verdict->original,
                        flag.verdict->similarity);
  }
  if (!flag.known) text += " unknown";
  return text;
}

class Resolve : public testing::Test {
 protected:
  Resolve() : store_(open_memory_store({}, OpenMode::kReadWrite)) {}

  BatchMaker& maker() {
    if (!maker_) maker_.emplace(rule_);
    return *maker_;
  }

  // Decides what the maker holds as one batch, or uncommitted with the batch before.
  std::vector<std::string> decide(bool commit = true) {
    if (!resolver_)
      resolver_.emplace(rule_, FilterOptions{}, CpuOptions{}, KeepTexts::kNone, *store_);
    chunks_.push_back(maker().take());
    std::vector<Flag> flags;
    resolver_->resolve(chunks_.back(), flags);
    if (commit) this->commit();
    std::vector<std::string> texts;
    for (const Flag& flag : flags) texts.push_back(words(flag));
    return texts;
  }

  void commit() {
    commit_batch(*resolver_, *store_);
    chunks_.clear();
  }

  Rule rule_ = small_rule();
  std::unique_ptr<Store> store_;
  std::optional<BatchMaker> maker_;
  std::optional<Resolver> resolver_;
  std::list<SketchedBatch> chunks_;
};

TEST_F(Resolve, a_flagged_document_is_no_original) {
  maker().document("a", kA).document("b", kB).document("c", kC).document("d", kC, "another text");
  EXPECT_THAT(decide(),
              ElementsAre("unique", "near_duplicate of a#1", "unique", "near_duplicate of c#3"));
}

TEST_F(Resolve, of_a_chunk_without_raw_texts_the_normalised_ones_are_kept) {
  StorageOptions storage;
  storage.keep_texts = KeepTexts::kAll;
  store_ = open_memory_store(storage, OpenMode::kReadWrite);
  resolver_.emplace(rule_, FilterOptions{}, CpuOptions{}, KeepTexts::kAll, *store_);
  maker().document("a", kA, "one text").document("b", kB, "another text");
  EXPECT_THAT(decide(false), ElementsAre("unique", "near_duplicate of a#1"));
  chunks_.back().keep_one_text_each();
  commit();
  EXPECT_EQ(store_->text(1), "one text");
  EXPECT_EQ(store_->text(2), "another text");
}

TEST_F(Resolve, against_all_a_flagged_document_is_an_original) {
  rule_.decision.against = Against::kAll;
  maker().document("a", kA).document("b", kB).document("c", kC);
  EXPECT_THAT(decide(), ElementsAre("unique", "near_duplicate of a#1", "near_duplicate of b#2"));
}

TEST_F(Resolve, flags_do_not_depend_on_where_chunks_and_batches_end) {
  const std::vector<std::function<void(BatchMaker&)>> records = {
      [](BatchMaker& m) { m.document("a", kA); },
      [](BatchMaker& m) { m.document("copy", kA); },
      [](BatchMaker& m) { m.document("b", kB); },
      [](BatchMaker& m) { m.document("a", kOther); },
      [](BatchMaker& m) { m.document("c", kB); },
      [](BatchMaker& m) { m.remove("a"); },
      [](BatchMaker& m) { m.document("a", kA); },
      [](BatchMaker& m) { m.remove("c").remove("c"); },
      [](BatchMaker& m) { m.document("a", kA).rejected("a"); },
      [](BatchMaker& m) {
        m.document("short", "", "one two").document("short too", "", "one two");
      },
      [](BatchMaker& m) {
        m.document("news", kA, "", "news").document("news too", kB, "", "news");
      },
      [](BatchMaker& m) { m.document("empty", "").document("empty too", ""); },
  };
  const auto wanted =
      ElementsAre("unique", "exact_duplicate of a#1", "near_duplicate of a#1", "unique after #1",
                  "unique", "deleted", "near_duplicate of c#5", "deleted", "deleted unknown",
                  "unchanged", "rejected", "too_short", "exact_duplicate of short#12", "unique",
                  "near_duplicate of news#14", "empty", "empty");
  for (std::size_t in_chunk : {1, 2, 5, 100}) {
    for (std::size_t in_batch : {1, 2, 3, 100}) {
      store_ = open_memory_store({}, OpenMode::kReadWrite);
      resolver_.reset();
      std::vector<std::string> found;
      std::size_t chunks = 0;
      for (std::size_t i = 0; i < records.size(); ++i) {
        records[i](maker());
        if ((i + 1) % in_chunk != 0 && i + 1 < records.size()) continue;
        for (auto& text : decide(++chunks % in_batch == 0)) found.push_back(std::move(text));
      }
      EXPECT_THAT(found, wanted) << in_chunk << " records in a chunk, " << in_batch
                                 << " chunks in a batch";
    }
  }
}

TEST_F(Resolve, an_unchanged_document_has_the_verdict_of_its_version) {
  rule_.decision.against = Against::kAll;
  maker().document("a", kA).document("b", kB).document("copy", kA);
  decide();
  resolver_->tell_verdicts();
  maker().document("a", kA).document("b", kB).document("copy", kA).remove("a").document("b", kB);
  EXPECT_THAT(decide(), ElementsAre("unchanged as #1, kept true, ?#0 0",
                                    "unchanged as #2, kept false, a#1 812000",
                                    "unchanged as #3, kept false, a#1 1000000", "deleted",
                                    "unchanged as #2, kept false, ?#1 812000"));
}

TEST_F(Resolve, the_most_similar_wins_and_of_equals_the_older) {
  rule_.decision.threshold = 600'000;
  maker()
      .document("ten", "aaaabbbbccxxxxxx")
      .document("twelve", "aaaabbbbyyyydddd")
      .document("twelve too", "zzzzbbbbccccdddd")
      .document("whole", kA);
  EXPECT_THAT(decide(), ElementsAre("unique", "unique", "unique", "near_duplicate of twelve#2"));
}

// Lowest bits: 1 of a, c and y, 0 of b, d and z. All are near `kA` by them.
TEST_F(Resolve, neither_bits_nor_their_order_choose_the_original) {
  for (const bool stored : {false, true}) {
    rule_ = small_rule();
    rule_.decision.threshold = 600'000;
    rule_.decision.against = Against::kAll;
    store_ = open_memory_store({}, OpenMode::kReadWrite);
    resolver_.reset();
    maker()
        .document("as similar, in no band", "aaazbbbzcccydddz")
        .in_bucket(0, maker().bucket(kA, 0))
        .document("as similar, by bits less", "aaaabbbbccccyyyy")
        .document("as similar, by bits most", "yyyybbbbccccdddd")
        .document("less similar, by bits nearly as much", "aaaabbbbccyyzzzy");
    if (stored) decide();
    maker().document("query", kA);
    EXPECT_EQ(decide().back(), "near_duplicate of as similar, by bits less#2") << stored;
  }
}

TEST_F(Resolve, a_posting_whose_values_differ_is_no_hit) {
  rule_.decision.verify = VerifyMode::kNone;
  maker().document("a", kA);
  maker().document("b", kOther).in_bucket(0, maker().bucket(kA, 0));
  EXPECT_THAT(decide(), ElementsAre("unique", "unique"));
}

TEST_F(Resolve, the_bucket_cap_passes_over_the_dead_and_over_collisions) {
  rule_.decision.verify = VerifyMode::kNone;
  rule_.decision.against = Against::kAll;
  rule_.bucket_cap = 1;
  maker().document("collides", kOther);
  for (std::uint32_t m = 0; m < 4; ++m) maker().in_bucket(m, maker().bucket(kA, m));
  maker()
      .document("dead", kA)
      .document("oldest", kA, "2")
      .document("nearest", kA, "3")
      .remove("dead");
  decide();
  maker().document("query", kA, "4");
  EXPECT_THAT(decide(), ElementsAre("near_duplicate of oldest#3"));
}

TEST_F(Resolve, a_cap_that_cuts_is_counted) {
  rule_.decision.against = Against::kAll;
  rule_.bucket_cap = 2;
  maker()
      .document("1", kA, "1")
      .document("2", kA, "2")
      .document("3", kA, "3")
      .document("4", kA, "4");
  decide();
  EXPECT_EQ(resolver_->caps_hit(), 4u);  // once in each of the last one's four bands
}

TEST_F(Resolve, a_flag_carries_count_interval_and_bands) {
  maker().document("a", kA).document("b", kB);
  decide(false);
  std::vector<Flag> flags;
  maker().document("c", kB, "a copy with other words");
  chunks_.push_back(maker().take());
  resolver_->resolve(chunks_.back(), flags);
  const Original& original = flags.at(0).original.value();
  EXPECT_EQ(original.verified_by, VerifiedBy::kSketch);
  EXPECT_EQ(original.bands_hit, 3u);
  EXPECT_EQ(original.similarity, 812'000u);  // (13/16 − 1/256) / (255/256)
  EXPECT_LT(original.low, original.similarity);
  EXPECT_GT(original.high, original.similarity);
}

TEST_F(Resolve, an_ended_document_leaves_nothing_in_the_store) {
  maker().document("a", kA).document("short", "", "one two");
  decide();
  EXPECT_EQ(store_->size().postings, 4u + 2 + 2);  // bands, contents, ids
  maker().remove("a").remove("short");
  decide();
  EXPECT_EQ(store_->size().documents, 0u);
  EXPECT_EQ(store_->size().ids, 0u);
  store_->compact();
  EXPECT_EQ(store_->size().postings, 0u);
}

TEST_F(Resolve, only_kept_documents_are_indexed_but_every_id_has_a_row) {
  maker().document("a", kA).document("b", kB).document("empty", "").rejected("bad");
  decide();
  EXPECT_EQ(store_->size().documents, 1u);
  EXPECT_EQ(store_->size().ids, 3u);
  const IdRow flagged = id_row_of(*store_, "b").value();
  EXPECT_FALSE(flagged.kept);
  EXPECT_FALSE(flagged.has_document);
  EXPECT_EQ(flagged.original, 1u);
  EXPECT_EQ(flagged.similarity, 812'000u);
}

TEST_F(Resolve, one_wrong_clock_moves_stream_time_by_a_day_at_most) {
  constexpr std::int64_t kDay = 86'400'000;
  maker().document("a", kA).at_time(1'000'000);
  maker().document("b", kOther).at_time(1'000'000 + 5000 * kDay);
  maker().document("c", "", "one").at_time(7);
  maker().document("d", "", "two");
  decide();
  EXPECT_EQ(id_row_of(*store_, "a")->time_ms, 1'000'000);
  EXPECT_EQ(id_row_of(*store_, "b")->time_ms, 1'000'000 + kDay);
  EXPECT_EQ(id_row_of(*store_, "c")->time_ms, 1'000'000 + kDay);
  EXPECT_EQ(id_row_of(*store_, "d")->time_ms, 1'000'000 + kDay);
}

TEST_F(Resolve, goes_on_where_the_store_stands) {
  maker().document("a", kA).document("b", kOther).at_time(5'000);
  decide();
  resolver_.reset();
  maker().document("c", kB);
  EXPECT_THAT(decide(), ElementsAre("near_duplicate of a#1"));
  EXPECT_EQ(id_row_of(*store_, "c")->seq, 3u);
  EXPECT_EQ(id_row_of(*store_, "c")->time_ms, 5'000);
}

TEST_F(Resolve, a_damaged_number_of_the_state_is_refused) {
  WriteSet writes;
  writes.meta = {{std::string(kMetaNextSeq), "17x"}};
  store_->commit(writes);
  try {
    Resolver refused(rule_, FilterOptions{}, CpuOptions{}, KeepTexts::kNone, *store_);
    FAIL() << "taken";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kIo);
    EXPECT_THAT(failure.what(), HasSubstr("`17x` is not a number at next_seq"));
  }
}

TEST_F(Resolve, a_store_of_another_rule_is_refused_with_both_spelled_out) {
  maker().document("a", kA);
  decide();
  Rule other = rule_;
  other.bucket_cap = 63;
  try {
    Resolver refused(other, FilterOptions{}, CpuOptions{}, KeepTexts::kNone, *store_);
    FAIL() << "taken";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kConfig);
    EXPECT_THAT(failure.what(), HasSubstr("lsh.bucket_cap: 64 in the state, 63 now"));
    EXPECT_THAT(failure.what(), HasSubstr(rule_fingerprint(rule_text(rule_))));
    EXPECT_THAT(failure.what(), HasSubstr(rule_fingerprint(rule_text(other))));
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
