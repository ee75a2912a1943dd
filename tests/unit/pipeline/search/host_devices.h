// Devices for searches in memory of the host, which hold little and can be made to fail.
#pragma once

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/search/device_postings.h"
#include "gpu/search/device_rows.h"
#include "gpu/search/match_count.h"
#include "gpu/search/retried_device.h"
#include "pipeline/search/device_segments.h"

namespace neardup {

struct HostDeviceState {
  int calls_left = -1;  // until all calls fail; below 0: they do not
  int made = 0;
  int failures = 0;

  void call() {
    if (calls_left == 0) throw DeviceFailure("the device has failed");
    if (calls_left > 0) --calls_left;
  }
};

// Holds the first rows of each view.
class HostRows : public DeviceRows {
 public:
  HostRows(HostDeviceState& state, std::uint64_t room) : state_(state), room_(room) {
    state_.call();
    ++state_.made;
  }

  Seq follow(const VisitBlocks& blocks) override {
    state_.call();
    held_.clear();
    Seq end = 0;
    blocks([&](const SketchBlock& block) {
      const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(block.count, left()));
      const auto words = block.words + std::size_t{count} * block.words_each;
      held_.push_back({block, {block.words, words}, {block.tags, block.tags + count}});
      held_.back().block.count = count;
      end = block.first + count;
      return count == block.count;
    });
    return end;
  }

  std::uint64_t resident() const override { return room_ - left(); }

  void search(const VisitBlocks& others, std::span<RowQuery> queries) override {
    for (const Held& held : held_) {
      SketchBlock block = held.block;
      block.words = held.words.data();
      block.tags = held.tags.data();
      scan_.add(block, {queries, block.words_each});
    }
    state_.call();
    others([&](const SketchBlock& block) {
      scan_.add(block, {queries, block.words_each});
      return true;
    });
  }

 private:
  struct Held {
    SketchBlock block;  // without words and tags
    std::vector<std::uint64_t> words;
    std::vector<NamespaceTag> tags;
  };
  std::uint64_t left() const {
    std::uint64_t left = room_;
    for (const Held& held : held_) left -= held.block.count;
    return left;
  }

  HostDeviceState& state_;
  std::uint64_t room_;
  std::vector<Held> held_;
  RowScan scan_{{}};
};

// Holds so many segments. Does not answer every seventh query.
class HostPostings : public DevicePostings {
 public:
  HostPostings(HostDeviceState& state, std::size_t room, std::uint32_t words_each,
               std::vector<KeywordProbe> probes)
      : state_(state), room_(room), words_each_(words_each), counter_(std::move(probes)) {
    state_.call();
    ++state_.made;
  }

  bool has_room(const KeywordPostings&) const override { return held_.size() < room_; }

  void hold(Key key, const DocumentPostings& segment) override {
    state_.call();
    const KeywordPostings& postings = segment.postings;
    const std::size_t words = std::size_t{postings.documents} * words_each_;
    Held held{postings,
              {postings.columns, postings.columns + postings.keywords * postings.column_size()},
              {segment.one_bits, segment.one_bits + words},
              {segment.unknown, segment.unknown + (postings.documents + 31) / 32}};
    held.postings.columns = held.columns.data();
    if (!held_.emplace(key, std::move(held)).second) throw DeviceFailure("held twice");
  }

  void drop(Key key) override {
    state_.call();
    held_.erase(held_.find(key));
  }

  std::vector<std::optional<Places>> reach(Key key, const MatchQueries& queries) override {
    state_.call();
    const Held& held = held_.at(key);
    std::vector<std::optional<Places>> reached(queries.count);
    for (std::uint32_t i = 0; i < queries.count; ++i) {
      if (i % 7 == 6) continue;
      const auto* own = queries.keywords + std::size_t{i} * held.postings.keywords;
      const std::vector<std::uint32_t> keywords(own, own + held.postings.keywords);
      Places& places = reached[i].emplace();
      counter_.reach(held.postings, keywords.data(), queries.gate, places);
      std::erase_if(places, [&](std::uint32_t place) {
        return !is_near(held, place, queries.one_bits + std::size_t{i} * words_each_,
                        queries.limit);
      });
    }
    return reached;
  }

 private:
  struct Held {
    KeywordPostings postings;
    std::vector<std::uint32_t> columns;
    std::vector<std::uint64_t> one_bits;
    std::vector<std::uint32_t> unknown;
  };
  bool is_near(const Held& held, std::uint32_t place, const std::uint64_t* query,
               std::uint32_t limit) const {
    if ((held.unknown[place / 32] >> place % 32 & 1) != 0) return true;
    std::uint32_t distance = 0;
    for (std::uint32_t i = 0; i < words_each_; ++i) {
      const std::uint64_t word = held.one_bits[std::size_t{place} * words_each_ + i];
      distance += static_cast<std::uint32_t>(std::popcount(word ^ query[i]));
    }
    return distance <= limit;
  }

  HostDeviceState& state_;
  std::size_t room_;
  std::uint32_t words_each_;
  MatchCounter counter_;
  std::map<Key, Held> held_;
};

// Tried again after a failure at once.
inline std::unique_ptr<RetriedDevice<DeviceRows>> host_rows(HostDeviceState& state,
                                                            std::uint64_t room) {
  return std::make_unique<RetriedDevice<DeviceRows>>(
      [&state, room] { return std::make_unique<HostRows>(state, room); },
      [&state](const std::string&) { ++state.failures; }, std::chrono::seconds(0));
}

inline std::unique_ptr<RetriedDevice<DeviceSegments>> host_segments(
    HostDeviceState& state, std::size_t room, std::uint32_t words_each,
    const std::vector<KeywordProbe>& probes) {
  return std::make_unique<RetriedDevice<DeviceSegments>>(
      [=, &state] {
        return std::make_unique<DeviceSegments>(
            std::make_unique<HostPostings>(state, room, words_each, probes), words_each);
      },
      [&state](const std::string&) { ++state.failures; }, std::chrono::seconds(0));
}

}  // namespace neardup
