// stats, delete and compact on a small state.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/state_keys.h"
#include "service/commands/commands.h"
#include "service/file/input_position.h"
#include "storage/store.h"
#include "storage/stores.h"
#include "tests/unit/service/commands/run_command.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class StateCommands : public ::testing::Test {
 protected:
  StateCommands() {
    WriteSet writes;
    for (const Seq seq : {1, 2}) {
      DocumentRow row;
      row.seq = seq;
      row.id = seq == 1 ? "a" : "b";
      row.content = content_;
      row.sketch.assign(32, seq);
      writes.documents.push_back({row, {}, {}});
      writes.ids.push_back({{"", row.id}, {.seq = seq, .content = content_}});
    }
    writes.ids.push_back(
        {{"", "copy"}, {.seq = 3, .kept = false, .has_document = false, .original = 1}});
    writes.ids.push_back({{"other", "a"}, {.seq = 4, .has_document = false}});
    writes.meta = {{std::string(kMetaRule), rule_text({})},
                   {std::string(kMetaNextSeq), "5"},
                   {std::string(kMetaStreamTime), "1700000000000"}};
    InputPosition position{4, "0123456789abcdef0123456789abcdef", {}, 99};
    position.at.bytes = 99;
    position.at.lines = 4;
    writes.meta.emplace_back(std::string(kInputPrefix) + "/data/\"x\".jsonl",
                             format_position(position));
    open(OpenMode::kReadWrite)->commit(writes);
  }

  std::unique_ptr<Store> open(OpenMode mode) {
    StorageOptions options;
    options.path = path_;
    return open_store(options, mode);
  }

  testing::Outcome run(int (*command)(const CommandLine&), std::vector<std::string> words) {
    words.insert(words.begin() + 1, {"--state", path_});
    return testing::run_command(command, std::move(words));
  }

  std::vector<Seq> postings() {
    const Bucket bucket = content_bucket(content_, "");
    PostingLists lists;
    open(OpenMode::kReadOnly)->postings({&bucket, 1}, 0, 10, lists);
    return {lists.seqs(0).begin(), lists.seqs(0).end()};
  }

  ScratchDirectory scratch_;
  std::string path_ = scratch_.file("state");
  Hash128 content_{7, 7};
};

TEST_F(StateCommands, StatsTellsWhatTheStateHolds) {
  const auto outcome = run(run_stats, {"stats"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("documents    2\nids          4\n"));
  EXPECT_THAT(outcome.out, HasSubstr("next seq     5\nstream time  2023-11-14T22:13:20.000Z\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  /data/\"x\".jsonl   99 bytes, 4 lines; read to its end\n"));
  EXPECT_THAT(outcome.out, HasSubstr("rule         " + rule_fingerprint(rule_text({})) + "\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n  threshold_ppm: 800000\n"));
}

TEST_F(StateCommands, StatsAsJsonIsOneObject) {
  const std::string file = scratch_.write("stats", run(run_stats, {"stats", "--json"}).out);
  const auto outcome = testing::run_program(
      "python3 -c \"import json\n"
      "stats = json.load(open('" +
      file +
      "'))\n"
      "print(stats['documents'], stats['ids'], stats['next_seq'], "
      "stats['rule_text']['threshold_ppm'])\n"
      "print(stats['inputs'])\"");
  EXPECT_THAT(outcome.out, HasSubstr("2 4 5 800000\n"));
  EXPECT_THAT(outcome.out, HasSubstr("'bytes': 99, 'lines': 4, 'read_to_end': True}]"));
}

TEST_F(StateCommands, StatsReadsBesideAWriter) {
  const auto writer = open(OpenMode::kReadWrite);
  EXPECT_EQ(run(run_stats, {"stats"}).status, 0);
}

TEST_F(StateCommands, StatsOfAStateThatIsNotThereMakesNone) {
  EXPECT_EQ(testing::run_command(run_stats, {"stats", "--state", scratch_.file("none")}).status,
            75);
  EXPECT_FALSE(std::filesystem::exists(scratch_.file("none")));
  EXPECT_EQ(testing::run_command(run_stats, {"stats"}).status, 64);
}

TEST_F(StateCommands, DeleteErasesTheIdAndItsDocument) {
  const auto outcome = run(run_delete, {"delete", "a", "copy", "unknown", "a"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("deleted 2 of 3\n"));
  EXPECT_THAT(outcome.err, HasSubstr("unknown: the state has no such id"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("copy")));
  const auto store = open(OpenMode::kReadOnly);
  EXPECT_EQ(store->size().documents, 1);
  std::vector<std::optional<IdRow>> ids;
  const std::vector<IdKey> keys{{"", "a"}, {"", "b"}, {"", "copy"}, {"other", "a"}};
  store->ids(keys, ids);
  EXPECT_FALSE(ids[0]);
  EXPECT_TRUE(ids[1]);
  EXPECT_FALSE(ids[2]);
  EXPECT_TRUE(ids[3]);
}

TEST_F(StateCommands, DeleteKeepsToItsNamespace) {
  EXPECT_THAT(run(run_delete, {"delete", "--namespace", "other", "a", "b"}).out,
              StartsWith("deleted 1 of 2\n"));
  EXPECT_EQ(open(OpenMode::kReadOnly)->size().documents, 2);
}

TEST_F(StateCommands, AStateInUseIsNotTouched) {
  const auto writer = open(OpenMode::kReadWrite);
  EXPECT_EQ(run(run_delete, {"delete", "a"}).status, 75);
  EXPECT_EQ(run(run_compact, {"compact"}).status, 75);
}

TEST_F(StateCommands, CompactDropsWhatDeleteLeftBehind) {
  EXPECT_THAT(postings(), ::testing::ElementsAre(1, 2));
  run(run_delete, {"delete", "a"});
  const auto outcome = run(run_compact, {"compact"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr(" before, "));
  EXPECT_THAT(postings(), ::testing::ElementsAre(2));
  EXPECT_THAT(run(run_delete, {"delete", "b"}).out, StartsWith("deleted 1 of 1\n"));
  run(run_compact, {"compact"});
  EXPECT_THAT(postings(), IsEmpty());
}

}  // namespace
}  // namespace neardup::TEST_FILE
