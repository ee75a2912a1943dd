// A document ends through one door, whatever ends it, and every cache hears of it there.
#include "pipeline/retention/tombstones.h"

#include <gmock/gmock.h>

#include <functional>
#include <list>
#include <optional>
#include <type_traits>

#include "pipeline/resolve.h"
#include "pipeline/retention/delete_log.h"
#include "pipeline/state_keys.h"
#include "storage/memory_store.h"
#include "tests/unit/pipeline/batches.h"
#include "tests/unit/pipeline/documents.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;

// Each class that remembers something about live documents listens, and hears of their end through
// the door only: a caller cannot reach the reaction.
template <class T>
constexpr bool kListens = std::is_base_of_v<TombstoneListener, T>;
template <class T>
concept Reachable =
    requires(T& cache, const Tombstone& tombstone) { cache.on_tombstone(tombstone); };
static_assert(kListens<Pending> && !Reachable<Pending>);
static_assert(kListens<Retention> && !Reachable<Retention>);
static_assert(kListens<RowCache> && !Reachable<RowCache>);
static_assert(kListens<CappedBucketCache> && !Reachable<CappedBucketCache>);
static_assert(!Reachable<TombstoneListener>);

class Listener : public TombstoneListener {
 public:
  explicit Listener(Tombstones& tombstones) { tombstones.listen(*this); }
  std::vector<Seq> heard;

 private:
  void on_tombstone(const Tombstone& tombstone) override { heard.push_back(tombstone.seq); }
};

TEST(Tombstones, every_listener_hears_of_each_end_before_the_call_returns) {
  Tombstones tombstones;
  Listener first(tombstones);
  Listener second(tombstones);
  tombstones.add({.seq = 5});
  tombstones.add({.seq = 2, .erased_by = ErasedBy::kCommand});
  EXPECT_THAT(first.heard, ElementsAre(5, 2));
  EXPECT_THAT(second.heard, ElementsAre(5, 2));
}

TEST(Tombstones, ends_are_known_until_the_commit_and_expiry_for_good) {
  Tombstones tombstones;
  tombstones.add({.seq = 5});
  tombstones.expire(3);
  EXPECT_TRUE(tombstones.ended(2));
  EXPECT_FALSE(tombstones.ended(3));
  EXPECT_TRUE(tombstones.ended(5));
  EXPECT_FALSE(tombstones.expired(5));
  tombstones.committed();
  EXPECT_TRUE(tombstones.ended(2));
  EXPECT_FALSE(tombstones.ended(5));
}

// a and b share the first band, and the cap is 1: c is a near copy of b that only this bucket
// names, so a must have left it, and every cache that was filled while a lived.
class WhateverEndsADocument : public testing::Test {
 protected:
  WhateverEndsADocument() : store_(open_memory_store({}, OpenMode::kReadWrite)) {
    rule_.bucket_cap = 1;
  }

  void decide(const std::function<void(BatchMaker&)>& fill) {
    if (!resolver_)
      resolver_.emplace(rule_, FilterOptions{}, CpuOptions{}, KeepTexts::kNone, *store_);
    BatchMaker maker(rule_);
    fill(maker);
    chunks_.push_back(maker.take());
    flags_.clear();
    resolver_->resolve(chunks_.back(), flags_);
  }
  void commit() {
    commit_batch(*resolver_, *store_);
    chunks_.clear();
  }
  // Seqs 1 to 4; all caches know a afterwards.
  void fill_caches() {
    decide([](BatchMaker& maker) { maker.document("a", kA).document("b", "aaaaqrstuvwxyz12"); });
    commit();
    decide([](BatchMaker& maker) {
      maker.document("query", "aaaaABCDEFGHIJKL").document("copy of a", kA);
    });
    commit();
    ASSERT_EQ(flags_.back().original->id, "a");
  }
  static void near_copy_of_b(BatchMaker& maker) { maker.document("c", "aaaaqrs_uvw_yz1_"); }
  static void near_copy_of_a(BatchMaker& maker) { maker.document("d", "zzzabbbbccccdddd"); }
  // Of the documents decided last: c's original is b, and d has none.
  void expect_a_has_ended(std::size_t c) {
    ASSERT_TRUE(flags_[c].original);
    EXPECT_EQ(flags_[c].original->id, "b");
    EXPECT_FALSE(flags_[c + 1].original);
  }
  IdRow row_of_a() { return id_row_of(*store_, "a").value(); }

  static constexpr std::string_view kA = "aaaabbbbccccdddd";
  Rule rule_ = small_rule();
  std::unique_ptr<Store> store_;
  std::optional<Resolver> resolver_;
  std::list<SketchedBatch> chunks_;
  std::vector<Flag> flags_;
};

TEST_F(WhateverEndsADocument, a_new_version_of_its_id) {
  fill_caches();
  decide([](BatchMaker& maker) {
    maker.document("a", "0000111122223333");
    near_copy_of_b(maker);
    near_copy_of_a(maker);
  });
  expect_a_has_ended(1);
}

TEST_F(WhateverEndsADocument, a_delete_record) {
  fill_caches();
  decide([](BatchMaker& maker) {
    maker.remove("a");
    near_copy_of_b(maker);
    near_copy_of_a(maker);
  });
  expect_a_has_ended(1);
}

TEST_F(WhateverEndsADocument, a_delete_by_command) {
  fill_caches();
  const IdRow row = row_of_a();
  WriteSet writes;
  writes.erase_ids.push_back({{"", "a"}, row});
  writes.erase_documents.push_back(row.seq);
  resolver_->ends(writes.erase_documents);
  store_->commit(writes);
  decide([](BatchMaker& maker) {
    near_copy_of_b(maker);
    near_copy_of_a(maker);
  });
  expect_a_has_ended(0);
}

TEST_F(WhateverEndsADocument, a_delete_that_is_done_again_after_a_restore) {
  const LoggedDelete due{1, 5, 1, 0, {"", "a"}};
  WriteSet writes;
  writes.meta.emplace_back(delete_meta_key(kMetaDeleteDue, 1), encode_delete(due));
  store_->commit(writes);
  fill_caches();
  decide([](BatchMaker& maker) {
    near_copy_of_b(maker);
    near_copy_of_a(maker);
  });
  expect_a_has_ended(0);
}

TEST_F(WhateverEndsADocument, retention) {
  rule_.retention.max_documents = 3;
  fill_caches();
  decide([](BatchMaker& maker) {
    near_copy_of_b(maker);
    near_copy_of_a(maker);
  });
  expect_a_has_ended(0);
}

}  // namespace
}  // namespace neardup::TEST_FILE
