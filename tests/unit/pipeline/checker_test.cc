#include "pipeline/checker.h"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include <functional>
#include <random>

#include "pipeline/resolve.h"
#include "storage/memory_store.h"
#include "tests/unit/pipeline/batches.h"
#include "tests/unit/pipeline/documents.h"

namespace neardup::TEST_FILE {
namespace {

using Add = std::function<void(BatchMaker&)>;

std::string all_of(const Flag& flag) {
  std::string text = fmt::format("{} {} {} {} {}", flag.seq, name(flag.status), flag.id,
                                 flag.name_space, flag.known);
  if (flag.original) {
    const Original& original = *flag.original;
    text += fmt::format(", of {}#{} by {} {} {}-{} in {}", original.id, original.seq,
                        name(original.verified_by), original.similarity, original.low,
                        original.high, original.bands_hit);
  }
  if (flag.previous) {
    text += fmt::format(", after {} {}", flag.previous->seq, flag.previous->similarity.value_or(7));
  }
  if (flag.verdict) {
    text += fmt::format(", as {} {} {}#{} {}", flag.verdict->seq, flag.verdict->kept,
                        flag.verdict->original_id.value_or("?"), flag.verdict->original,
                        flag.verdict->similarity);
  }
  return text;
}

// A state in memory, and what has made it.
class State {
 public:
  explicit State(const Rule& rule)
      : rule_(rule), resolver_(rule, {}, {}, KeepTexts::kNone, *store_) {
    resolver_.tell_verdicts();
  }

  std::vector<Flag> decide(const std::vector<Add>& records) {
    BatchMaker maker(rule_);
    for (const Add& add : records) add(maker);
    const SketchedBatch batch = maker.take();
    std::vector<Flag> flags;
    resolver_.resolve(batch, flags);
    commit_batch(resolver_, *store_);
    return flags;
  }
  std::vector<std::string> check(const std::vector<Add>& records) {
    BatchMaker maker(rule_);
    for (const Add& add : records) add(maker);
    std::vector<Flag> flags;
    Checker(rule_, {}, {}, true, *store_).check(maker.take(), flags);
    std::vector<std::string> texts;
    for (const Flag& flag : flags) texts.push_back(all_of(flag));
    return texts;
  }
  Store& store() { return *store_; }

 private:
  Rule rule_;
  std::unique_ptr<Store> store_ = open_memory_store({}, OpenMode::kReadWrite);
  Resolver resolver_;
};

// Records that often have the ids, texts and buckets of others, at times that go on.
class Records {
 public:
  explicit Records(std::uint64_t seed) : random_(seed) {}

  Add next() {
    now_ += below(3) == 0 ? below(40) : 0;
    const std::int64_t time = now_ - below(20) + (below(6) == 0 ? below(100) : 0);
    const std::string id(1, static_cast<char>('a' + below(8)));
    const std::string name_space = below(4) == 0 ? "news" : "";
    if (below(10) == 0) {
      return [=](BatchMaker& maker) { maker.remove(id, name_space).at_time(time); };
    }
    if (below(20) == 0) return [=](BatchMaker& maker) { maker.rejected(id); };
    const std::string values = this->values();
    if (below(12) == 0) {
      return [=](BatchMaker& maker) { maker.document(id, "", values, name_space).at_time(time); };
    }
    return [=](BatchMaker& maker) { maker.document(id, values, "", name_space).at_time(time); };
  }

  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(bound));
  }

 private:
  // Of three families, with few values changed.
  std::string values() {
    std::string values(kValues, static_cast<char>('p' + below(3)));
    for (std::int64_t changes = below(4); changes > 0; --changes)
      values[static_cast<std::size_t>(below(kValues))] = static_cast<char>('a' + below(2));
    return values;
  }

  std::mt19937_64 random_;
  std::int64_t now_ = 1'000'000;
};

struct Variant {
  const char* name;
  std::function<void(Rule&)> change;
};

class Checks : public testing::TestWithParam<Variant> {
 protected:
  Checks() { GetParam().change(rule_); }
  Rule rule_ = small_rule();
};

// The oracle is the resolver: it decides the same history again, and then the record.
TEST_P(Checks, AreTheFlagsThatTheRecordsWouldGetIfTheyCameNext) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Records records(seed);
    State state(rule_);
    std::vector<std::vector<Add>> history;
    for (int batch = 0; batch < 4; ++batch) {
      std::vector<Add> added;
      for (auto more = 1 + records.below(12); more > 0; --more) added.push_back(records.next());
      state.decide(added);
      history.push_back(added);
    }
    std::vector<Add> asked;
    for (int i = 0; i < 12; ++i) asked.push_back(records.next());
    std::vector<std::string> expected;
    for (const Add& record : asked) {
      State again(rule_);
      for (const auto& batch : history) again.decide(batch);
      expected.push_back(all_of(again.decide({record}).front()));
    }
    ASSERT_EQ(state.check(asked), expected) << "seed " << seed;
    ASSERT_EQ(state.check(asked), expected) << "asked again, seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Variants, Checks,
    testing::Values(Variant{"usual", [](Rule&) {}},
                    Variant{"all", [](Rule& rule) { rule.decision.against = Against::kAll; }},
                    Variant{"cap", [](Rule& rule) { rule.bucket_cap = 2; }},
                    Variant{"age", [](Rule& rule) { rule.retention.max_age_ms = 60; }},
                    Variant{"step",
                            [](Rule& rule) {
                              rule.retention.max_age_ms = 90;
                              rule.retention.max_step_ms = 30;
                            }},
                    Variant{"documents", [](Rule& rule) { rule.retention.max_documents = 9; }},
                    Variant{"bytes", [](Rule& rule) { rule.retention.max_bytes = 100; }}),
    [](const auto& variant) { return std::string(variant.param.name); });

TEST(Checker, StoresNothing) {
  State state(small_rule());
  state.decide({[](BatchMaker& maker) { maker.document("a", "aaaabbbbccccdddd"); }});
  const StoreSize before = state.store().size();
  state.check({[](BatchMaker& maker) { maker.document("b", "qqqqrrrrsssstttt"); },
               [](BatchMaker& maker) { maker.document("a", "qqqqrrrrsssstttt"); },
               [](BatchMaker& maker) { maker.remove("a"); }});
  EXPECT_EQ(state.store().size().documents, before.documents);
  EXPECT_EQ(state.store().size().ids, before.ids);
  EXPECT_EQ(state.store().size().postings, before.postings);
  EXPECT_EQ(state.store().meta("next_seq"), "2");
}

}  // namespace
}  // namespace neardup::TEST_FILE
