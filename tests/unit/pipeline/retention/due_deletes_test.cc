// Deletes by command: those that come between two batches, and those that a restored older copy
// of the state meets again.
#include <gmock/gmock.h>

#include <functional>
#include <list>
#include <optional>

#include "pipeline/base/failure.h"
#include "pipeline/resolve.h"
#include "pipeline/retention/delete_log.h"
#include "pipeline/state_keys.h"
#include "storage/memory_store.h"
#include "tests/unit/pipeline/batches.h"
#include "tests/unit/pipeline/documents.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kA = "aaaabbbbccccdddd";
constexpr std::string_view kB = "qqqqrrrrsssstttt";

class DeletesByCommand : public testing::Test {
 protected:
  using Fill = std::function<void(BatchMaker&)>;

  // A fresh state that has decided what it is told.
  class Run {
   public:
    explicit Run(const Rule& rule = small_rule())
        : rule_(rule), store_(open_memory_store({}, OpenMode::kReadWrite)) {
      open();
    }

    void open() {
      resolver_.emplace(rule_, FilterOptions{}, CpuOptions{}, KeepTexts::kNone, *store_);
    }

    // As one chunk.
    void decide(const Fill& fill) {
      BatchMaker maker(rule_);
      fill(maker);
      chunks_.push_back(maker.take());
      std::vector<Flag> flags;
      resolver_->resolve(chunks_.back(), flags);
      for (const Flag& flag : flags) {
        said_.push_back(std::string(name(flag.status)) +
                        (flag.original ? " of " + flag.original->id : ""));
      }
    }

    void commit() {
      commit_batch(*resolver_, *store_);
      chunks_.clear();
    }

    std::optional<IdRow> row(const std::string& id) { return id_row_of(*store_, id); }

    // As a command does it between two batches.
    void erase(const std::string& id) {
      const IdRow found = row(id).value();
      WriteSet writes;
      writes.erase_ids.push_back({{"", id}, found});
      if (found.has_document) writes.erase_documents.push_back(found.seq);
      resolver_->ends(writes.erase_documents);
      store_->commit(writes);
    }

    // As a restored state has it.
    void erase_later(const std::string& id, Seq before) {
      const LoggedDelete entry{++due_, before, 1, 0, {"", id}};
      WriteSet writes;
      writes.meta.emplace_back(delete_meta_key(kMetaDeleteDue, due_), encode_delete(entry));
      store_->commit(writes);
      open();
    }

    const std::vector<std::string>& said() const { return said_; }
    std::size_t due() { return read_deletes(*store_, kMetaDeleteDue).size(); }

   private:
    Rule rule_;
    std::unique_ptr<Store> store_;
    std::optional<Resolver> resolver_;
    std::list<SketchedBatch> chunks_;
    std::vector<std::string> said_;
    std::uint64_t due_ = 0;
  };

  static void original(BatchMaker& maker) { maker.document("a", kA).document("b", kB); }
  static void copies(BatchMaker& maker) { maker.document("a2", kA).document("b2", kB); }
  static void more_copies(BatchMaker& maker) { maker.document("a3", kA).document("b3", kB); }
};

TEST_F(DeletesByCommand, the_next_copy_is_kept_also_when_the_document_was_a_candidate_before) {
  Run run;
  run.decide(original);
  run.commit();
  run.decide(copies);
  run.commit();
  run.erase("a");
  run.decide(more_copies);
  run.commit();
  EXPECT_THAT(run.said(), ElementsAre("unique", "unique", "exact_duplicate of a",
                                      "exact_duplicate of b", "unique", "exact_duplicate of b"));
}

// a and b share the first band, and with a cap of 1 only the oldest live document of a bucket
// counts.
TEST_F(DeletesByCommand, the_deleted_document_does_not_count_under_the_bucket_cap) {
  Rule rule = small_rule();
  rule.bucket_cap = 1;
  const auto first = [](BatchMaker& maker) {
    maker.document("a", "aaaabbbbccccdddd").document("b", "aaaaqrstuvwxyz12");
  };
  const auto asks_for_the_bucket = [](BatchMaker& maker) {
    maker.document("query", "aaaaABCDEFGHIJKL");
  };
  // 13 of b's values, but of its bands the first only.
  const auto near_copy_of_b = [](BatchMaker& maker) { maker.document("c", "aaaaqrs_uvw_yz1_"); };
  for (const bool restarts : {false, true}) {
    Run run(rule);
    run.decide(first);
    run.commit();
    run.decide(asks_for_the_bucket);
    run.commit();
    run.erase("a");
    if (restarts) run.open();
    run.decide(near_copy_of_b);
    EXPECT_THAT(run.said(), ElementsAre("unique", "unique", "unique", "near_duplicate of b"))
        << restarts;
  }
}

TEST_F(DeletesByCommand, due_ones_come_at_their_place_wherever_chunks_and_batches_end) {
  Run live;
  live.decide(original);
  live.commit();
  live.decide(copies);
  live.commit();
  live.erase("a");
  live.erase("b2");
  live.decide(more_copies);
  live.decide([](BatchMaker& maker) { maker.document("b2", kB).document("a", kA); });
  live.commit();
  for (const bool one_chunk : {false, true}) {
    for (const bool one_batch : {false, true}) {
      Run again;
      again.erase_later("a", 5);
      again.erase_later("b2", 5);
      if (one_chunk) {
        again.decide([](BatchMaker& maker) {
          original(maker);
          copies(maker);
          more_copies(maker);
          maker.document("b2", kB).document("a", kA);
        });
      } else {
        again.decide(original);
        if (!one_batch) again.commit();
        again.decide(copies);
        again.decide([](BatchMaker& maker) {
          more_copies(maker);
          maker.document("b2", kB).document("a", kA);
        });
      }
      again.commit();
      EXPECT_EQ(again.said(), live.said()) << one_chunk << one_batch;
      EXPECT_EQ(again.row("a")->seq, live.row("a")->seq);
      EXPECT_EQ(again.row("b2")->seq, live.row("b2")->seq);
      EXPECT_EQ(again.due(), 0);
    }
  }
}

TEST_F(DeletesByCommand, one_after_the_last_record_is_done_with_its_batch) {
  Run run;
  run.erase_later("a", 3);
  run.decide(original);
  EXPECT_EQ(run.due(), 1);
  run.commit();
  EXPECT_FALSE(run.row("a"));
  EXPECT_TRUE(run.row("b"));
  EXPECT_EQ(run.due(), 0);
}

TEST_F(DeletesByCommand, one_whose_place_has_not_come_waits_also_across_runs) {
  Run run;
  run.erase_later("a", 4);
  run.decide(original);
  run.commit();
  EXPECT_TRUE(run.row("a"));
  run.open();
  run.decide(copies);
  run.commit();
  EXPECT_FALSE(run.row("a"));
}

TEST_F(DeletesByCommand, an_id_that_the_input_has_deleted_meanwhile_is_no_error) {
  Run run;
  run.erase_later("a", 4);
  run.decide([](BatchMaker& maker) { maker.document("a", kA).remove("a").document("a", kA); });
  run.decide([](BatchMaker& maker) { maker.remove("nobody"); });
  run.commit();
  EXPECT_FALSE(run.row("a"));
  run.erase_later("a", 1);
  run.decide(original);
  run.commit();
  EXPECT_TRUE(run.row("a"));
}

TEST(DeleteLog, an_entry_reads_back_as_it_was_written) {
  for (const LoggedDelete& entry :
       {LoggedDelete{1, 2, 3, 4, {"", "a"}}, LoggedDelete{7, 1, 0, -1, {"space 1", "1 2 3"}},
        LoggedDelete{~std::uint64_t{0}, kMaxSeq, kMaxSeq, 0, {"\n", std::string("\0 \xff", 3)}}}) {
    EXPECT_EQ(decode_delete(kMetaDeleteLog, delete_meta_key(kMetaDeleteLog, entry.number),
                            encode_delete(entry)),
              entry);
  }
}

TEST(DeleteLog, anything_else_is_no_entry) {
  const std::string key = delete_meta_key(kMetaDeleteLog, 1);
  for (const char* value : {"", "1 2 3 0 ", "1 2 3 2 a", "1 2 x 0 a", "1 2 3", " 1 2 3 0 a"}) {
    EXPECT_EQ(decode_delete(kMetaDeleteLog, key, value), std::nullopt) << value;
  }
  EXPECT_EQ(decode_delete(kMetaDeleteLog, "delete/log/x", "1 2 3 0 a"), std::nullopt);
  EXPECT_EQ(decode_delete(kMetaDeleteLog, "other", "1 2 3 0 a"), std::nullopt);
}

TEST(DeleteLog, keys_sort_by_number) {
  EXPECT_LT(delete_meta_key(kMetaDeleteLog, 9), delete_meta_key(kMetaDeleteLog, 10));
}

}  // namespace
}  // namespace neardup::TEST_FILE
