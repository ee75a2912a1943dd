// What the tests with random histories share: a store must answer like the model.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <tuple>

#include "history.h"
#include "model.h"
#include "pipeline/base/in_threads.h"
#include "storage/stores.h"
#include "store_under_test.h"

namespace neardup::testing {

// The live ones of `hints` that are in the bucket.
inline std::vector<Seq> live(const Model& model, const Bucket& bucket, std::span<const Seq> hints) {
  std::vector<Seq> found;
  for (const Seq seq : hints) {
    const auto document = model.documents().find(seq);
    if (document != model.documents().end() && is_in(document->second, bucket)) {
      found.push_back(seq);
    }
  }
  return found;
}

inline void check_list(const Model& model, const Bucket& bucket, Seq after, std::size_t limit,
                       std::span<const Seq> hints, bool more) {
  ASSERT_LE(hints.size(), limit);
  ASSERT_TRUE(hints.empty() || hints.front() > after);
  ASSERT_TRUE(std::is_sorted(hints.begin(), hints.end(), std::less_equal<>())) << "repeats one";
  std::vector<Seq> wanted = model.members(bucket, after);
  if (more) {
    ASSERT_TRUE(!hints.empty() || limit == 0) << "a caller could not go on";
    const Seq last = hints.empty() ? after : hints.back();
    wanted.erase(std::upper_bound(wanted.begin(), wanted.end(), last), wanted.end());
  }
  ASSERT_EQ(live(model, bucket, hints), wanted);
}

inline void check_one_bits(Store& store, const Model& model, std::span<const Seq> hints) {
  for (const Seq seq : hints) {
    const auto document = model.documents().find(seq);
    if (document == model.documents().end()) continue;
    const IndexEntry index = index_of(document->second);
    const std::uint64_t* bits = store.one_bit(seq);
    if (bits == nullptr || index.one_bit.empty()) continue;
    ASSERT_TRUE(std::equal(index.one_bit.begin(), index.one_bit.end(), bits)) << seq;
  }
}

inline void check_postings(Store& store, const Model& model, History& history) {
  std::vector<Bucket> buckets(30);
  for (Bucket& bucket : buckets) bucket = history.bucket();
  for (int documents = 0; documents < 4; ++documents) {
    for (const Bucket& bucket : history.buckets_of_one()) buckets.push_back(bucket);
  }
  const Seq after = history.one_in(2) ? 0 : history.seq();
  const std::size_t limit = history.below(40);
  PostingLists lists;
  store.postings(buckets, after, limit, lists);
  ASSERT_EQ(lists.size(), buckets.size());
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    SCOPED_TRACE(::testing::Message()
                 << "band " << buckets[i].band << ", after " << after << ", limit " << limit);
    ASSERT_NO_FATAL_FAILURE(
        check_list(model, buckets[i], after, limit, lists.seqs(i), lists.more(i)));
    ASSERT_NO_FATAL_FAILURE(check_one_bits(store, model, lists.seqs(i)));
  }
}

inline void check_documents(Store& store, const Model& model, History& history) {
  std::vector<Seq> seqs(60);
  for (Seq& seq : seqs) seq = history.seq();
  std::vector<std::optional<DocumentRow>> rows;
  store.documents(seqs, rows);
  for (std::size_t i = 0; i < seqs.size(); ++i) {
    const auto wanted = model.documents().find(seqs[i]);
    const bool there = wanted != model.documents().end();
    ASSERT_EQ(rows[i].has_value(), there) << seqs[i];
    ASSERT_TRUE(!there || same(*rows[i], wanted->second)) << seqs[i];
    ASSERT_EQ(store.text(seqs[i]), model.text(seqs[i])) << seqs[i];
  }
}

// The answer is as of `before`, or as of `after`.
inline void check_found_ids(Store& store, const Model& before, const Model& after,
                            std::span<const IdKey> keys) {
  store.sketches();  // the owner has to call it first
  for (const IdKey& key : keys) {
    const auto found = store.find_id(key);
    const auto is = [&](const std::optional<IdRow>& wanted) {
      return found.has_value() == wanted.has_value() && (!found || same(*found, *wanted));
    };
    ASSERT_TRUE(is(before.id(key)) || is(after.id(key))) << key.id;
  }
}

inline void check_ids(Store& store, const Model& before, const Model& model, History& history) {
  std::vector<IdKey> keys(50);
  for (IdKey& key : keys) key = history.id();
  std::vector<std::optional<IdRow>> rows;
  store.ids(keys, rows);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto wanted = model.id(keys[i]);
    ASSERT_EQ(rows[i].has_value(), wanted.has_value());
    ASSERT_TRUE(!wanted || same(*rows[i], *wanted)) << wanted->seq;
  }
  ASSERT_NO_FATAL_FAILURE(check_found_ids(store, before, model, keys));
}

using Copies = std::vector<std::pair<IdKey, IdRow>>;

inline void check_copies_of(Store& store, const Copies& group, History& history, Seq original) {
  const Seq from = history.one_in(2) ? 0 : history.seq();
  const std::size_t limit = 1 + history.below(9);
  Copies wanted;
  for (const auto& id : group) {
    if (id.second.seq >= from && wanted.size() < limit) wanted.push_back(id);
  }
  const Copies found = store.copies(original, from, limit);
  ASSERT_EQ(found.size(), wanted.size()) << original;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].first, wanted[i].first) << original;
    ASSERT_TRUE(same(found[i].second, wanted[i].second)) << original;
  }
}

inline void check_groups(Store& store, const Model& model, History& history) {
  const auto groups = model.groups();
  for (int asked = 0; asked < 9; ++asked) {
    const Seq original = history.seq();
    const auto group = groups.find(original);
    ASSERT_NO_FATAL_FAILURE(check_copies_of(store, group == groups.end() ? Copies() : group->second,
                                            history, original));
  }
  std::vector<std::pair<std::size_t, Seq>> wanted;
  for (const auto& [original, copies] : groups) {
    if (model.documents().contains(original)) wanted.emplace_back(copies.size(), original);
  }
  std::ranges::sort(wanted, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  wanted.resize(std::min<std::size_t>(wanted.size(), history.below(12)));
  const auto found = store.largest_groups(wanted.size());
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].copies, wanted[i].first);
    ASSERT_TRUE(same(found[i].original, model.documents().at(wanted[i].second)));
  }
}

// Where the two differ first; empty: nowhere.
inline std::string difference(const Sketches& found, const Sketches& wanted) {
  for (const auto& [seq, sketch] : wanted) {
    const auto same = found.find(seq);
    if (same == found.end()) return std::to_string(seq) + " is missing";
    if (same->second != sketch) return std::to_string(seq) + " has another sketch or tag";
  }
  for (const auto& [seq, sketch] : found) {
    if (!wanted.contains(seq)) return std::to_string(seq) + " is too much";
  }
  return {};
}

// Looked up, sketches are those that a visit shows.
inline void check_look_ups(const SketchView& view, std::vector<Seq> seqs) {
  seqs.insert(seqs.end(), {0, view.end(), kMaxSeq});
  std::vector<int> visited(seqs.size());
  view.look_up(seqs, [&](std::size_t i, NamespaceTag tag, const std::uint64_t* words) {
    ++visited[i];
    const Sketches here = seqs[i] < kMaxSeq ? sketches_of(view, seqs[i], seqs[i] + 1) : Sketches{};
    ASSERT_EQ(tag != 0, !here.empty()) << seqs[i];
    if (tag == 0) return;
    const StoredSketch& wanted = here.begin()->second;
    ASSERT_EQ(tag, wanted.tag) << seqs[i];
    ASSERT_TRUE(std::equal(wanted.one_bit.begin(), wanted.one_bit.end(), words)) << seqs[i];
  });
  ASSERT_EQ(visited, std::vector<int>(seqs.size(), 1));
}

inline void check_sketches(Store& store, const Model& model, History& history) {
  const auto view = store.sketches();
  const std::vector<Seq> seqs = {history.seq(), history.seq(), history.seq()};
  std::vector<std::optional<DocumentRow>> rows;
  view->documents(seqs, rows);
  for (std::size_t i = 0; i < seqs.size(); ++i) {
    const auto wanted = model.documents().find(seqs[i]);
    const bool there = wanted != model.documents().end();
    ASSERT_EQ(rows[i].has_value(), there) << seqs[i];
    ASSERT_TRUE(!there || same(*rows[i], wanted->second)) << seqs[i];
  }
  check_look_ups(*view, seqs);
  // All sketches of a large history take longer than all other checks: one time in four.
  if (model.documents().size() > 10'000 && history.below(4) != 0) return;
  const Sketches all = model.sketches();
  ASSERT_EQ(difference(sketches_of(*view), all), "");
  std::map<NamespaceTag, std::uint64_t> counts;
  for (const auto& [seq, sketch] : all) ++counts[sketch.tag];
  for (const auto& [tag, count] : counts) ASSERT_EQ(view->count(tag), count) << tag;
  const Seq from = history.seq();
  const Seq to = from + history.below(20'000);
  const Sketches some(all.lower_bound(from), all.lower_bound(to));
  ASSERT_EQ(difference(sketches_of(*view, from, to), some), "");
}

inline void check(Store& store, const Model& model, History& history) {
  ASSERT_NO_FATAL_FAILURE(check_postings(store, model, history));
  ASSERT_NO_FATAL_FAILURE(check_documents(store, model, history));
  ASSERT_NO_FATAL_FAILURE(check_ids(store, model, model, history));
  ASSERT_NO_FATAL_FAILURE(check_groups(store, model, history));
  ASSERT_NO_FATAL_FAILURE(check_sketches(store, model, history));
  const Seq from = history.seq();
  const std::size_t limit = history.below(200);
  ASSERT_EQ(ages_of(store, from, limit), model.ages(from, limit));
  ASSERT_EQ(store.meta_with_prefix("key"), model.meta());
  for (std::uint64_t batch = 0; batch < kHistoryBatches; ++batch) {
    ASSERT_EQ(store.outbox(batch), model.outbox(batch)) << batch;
  }
  ASSERT_EQ(store.size().documents, model.documents().size());
  ASSERT_EQ(store.size().ids, model.ids().size());
}

// Nothing of what is gone takes space.
inline void compact_and_check(Store& store, const Model& model) {
  store.compact();
  ASSERT_EQ(store.size().postings, model.postings());
}

class StoreHistory : public ::testing::TestWithParam<std::tuple<StoreKind, std::uint64_t>> {
 protected:
  explicit StoreHistory(HistorySize size = {}) : history_(seed_, size) {}

  // Runs a history; `between(store, round)` is called after each set.
  void run(int rounds, const std::function<void(std::unique_ptr<Store>&, int)>& between) {
    SCOPED_TRACE("seed " + std::to_string(seed_));
    store_ = open_indexed(options_);
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE("round " + std::to_string(round));
      const WriteSet& writes = history_.next(model_);
      const Model before = model_;
      model_.apply(writes);
      ASSERT_NO_FATAL_FAILURE(commit(*store_, writes, before));
      ASSERT_NO_FATAL_FAILURE(check_earlier_view(writes.expired_before));
      ASSERT_NO_FATAL_FAILURE(between(store_, round));
      ASSERT_NO_FATAL_FAILURE(check(*store_, model_, history_));
      if (!view_ || history_.one_in(5)) take_view(*store_);
    }
    view_.reset();
    store_.reset();
  }

  // At once, or in two steps, with look-ups in between. The second step may be another call.
  void commit(Store& store, const WriteSet& writes, const Model& before) {
    if (history_.one_in(2)) return store.commit(writes);
    std::atomic<bool> called = false;
    store.begin_commit(writes, [&] { called = true; });
    ASSERT_NO_FATAL_FAILURE(check_postings(store, model_, history_));
    ASSERT_NO_FATAL_FAILURE(check_documents(store, model_, history_));
    ASSERT_NO_FATAL_FAILURE(check_ids(store, before, model_, history_));
    while (!called && !store.commit_has_ended()) std::this_thread::yield();
    ASSERT_TRUE(store.commit_has_ended()) << "so whoever is told can go on";
    if (history_.one_in(3)) static_cast<void>(store.outbox(0));
    store.finish_commit();
  }

  // What several threads may ask at once.
  void look_up_in_threads(Store& store) {
    in_threads(4, [&](std::size_t thread) {
      History history = history_;
      for (std::size_t i = 0; i < thread; ++i) history.seq();
      for (int turn = 0; turn < 4; ++turn) check_postings(store, model_, history);
    });
    ASSERT_FALSE(HasFailure());
  }

  void take_view(Store& store) {
    view_ = store.sketches();
    seen_ = model_.sketches();
  }
  // A view shows what was there when it was taken.
  void check_earlier_view(Seq expired_before) {
    expired_before_ = std::max(expired_before_, expired_before);
    if (!view_) return;
    seen_.erase(seen_.begin(), seen_.lower_bound(expired_before_));
    ASSERT_EQ(difference(sketches_of(*view_, expired_before_), seen_), "");
  }

  void check_copy(Store& store, const std::string& name) {
    StorageOptions copy = options_;
    copy.path = scratch_.file(name);
    store.checkpoint(copy.path);
    ASSERT_NO_FATAL_FAILURE(check(*open_indexed(copy), model_, history_));
    destroy_state(copy.path);
  }
  void check_reader() {
    ASSERT_NO_FATAL_FAILURE(check(*open_indexed(options_, OpenMode::kReadOnly), model_, history_));
  }
  void open_again(std::unique_ptr<Store>& store) {
    view_.reset();
    store.reset();
    store = open_indexed(options_);
  }

  StoreKind kind_ = std::get<0>(GetParam());
  std::uint64_t seed_ = std::get<1>(GetParam());
  ScratchDirectory scratch_;
  StorageOptions options_ = options_of(kind_, scratch_);
  History history_;
  Model model_;
  std::unique_ptr<Store> store_;
  std::shared_ptr<const SketchView> view_;  // of an earlier commit
  Sketches seen_;                           // in it
  Seq expired_before_ = 0;
};

// So many changes in so little memory that the index flushes and merges all the time.
class LargeHistory : public StoreHistory {
 protected:
  LargeHistory() : StoreHistory({.changes = 800, .ids = 6000}) {
    options_.memory = std::uint64_t{1} << 20;
  }
};

inline std::string name_of(const ::testing::TestParamInfo<StoreHistory::ParamType>& param) {
  return std::string(std::get<0>(param.param).name) + "Seed" +
         std::to_string(std::get<1>(param.param));
}

}  // namespace neardup::testing
