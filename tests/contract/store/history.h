// Random histories that keep what WriteSet requires: new versions of ids, deletes, retention, and
// many documents in few buckets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model.h"
#include "store_under_test.h"

namespace neardup::testing {

inline constexpr std::uint64_t kHistoryBuckets = 12;  // of a band, in pairs that are hard to tell
inline constexpr std::uint16_t kHistoryBands = 3;     // with those buckets;
inline constexpr std::uint16_t kCopyBands = 6;  // behind them: those of a document or its copies
inline constexpr std::uint64_t kHistoryBatches = 12;

struct HistorySize {
  std::uint64_t changes = 25;  // fewer than these in a set
  std::uint64_t ids = 90;
  std::uint64_t gap = 300;  // between seqs, at most; most have none
};

class History {
 public:
  explicit History(std::uint64_t seed, HistorySize size = {}) : random_(seed), size_(size) {}

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  // The next set of changes, of a store that holds what `model` does.
  const WriteSet& next(const Model& model) {
    writes_.clear();
    texts_.clear();
    touched_.clear();
    if (one_in(5)) expire(model);
    for (std::uint64_t n = below(size_.changes); n > 0; --n) {
      if (one_in(5)) {
        remove(model);
      } else {
        arrive(model);
      }
    }
    change_values();
    return writes_;
  }

  Bucket bucket() {
    const std::uint64_t band = below(kHistoryBands + 2);
    if (band == kHistoryBands) return {kContentBand, key_of(below(kHistoryBuckets))};
    return testing::bucket(static_cast<std::uint16_t>(band), below(kHistoryBuckets + 2));
  }
  IdKey id() {
    const std::uint64_t n = below(size_.ids);
    return {std::string(n % 3, '\0'),
            std::string(1 + n / 3 % 30, static_cast<char>(n % 2)) + tail(n / 90)};
  }
  Seq seq() { return below(seq_ + 2); }
  // All buckets of a document that arrived once.
  std::vector<Bucket> buckets_of_one() {
    std::vector<Bucket> buckets;
    if (sketches_.empty()) return buckets;
    for (const std::uint64_t n : sketches_[below(sketches_.size())]) {
      buckets.push_back(testing::bucket(static_cast<std::uint16_t>(buckets.size()), n));
    }
    return buckets;
  }

 private:
  // Half of all in the first bucket.
  std::uint64_t any_bucket() { return one_in(2) ? 0 : below(kHistoryBuckets); }

  // In the last bands, half of all are nearly a copy of another.
  std::vector<std::uint64_t> make_sketch() {
    const std::uint64_t own = 1'000 + 2 * seq_;
    std::vector<std::uint64_t> sketch(kHistoryBands + kCopyBands, own);
    if (!sketches_.empty() && one_in(2)) sketch = sketches_[below(sketches_.size())];
    for (std::size_t band = 0; band < sketch.size(); ++band) {
      if (band < kHistoryBands) {
        sketch[band] = any_bucket();
      } else if (one_in(8)) {
        sketch[band] = own;
      }
    }
    sketches_.push_back(sketch);
    return sketch;
  }

  // A few of the oldest, seldom all.
  void expire(const Model& model) {
    if (model.ids().empty()) return;
    const Seq oldest = model.ids().begin()->first;
    writes_.expired_before = oldest + below(seq_ - oldest + 2) / (1 + below(9));
  }

  bool is_expired(Seq seq) const { return seq < writes_.expired_before; }

  // The row of the id ends. Of what expires in this set it need not be said.
  void end(const Model& model, const IdKey& key) {
    const auto row = model.id(key);
    if (!row || (is_expired(row->seq) && one_in(2))) return;
    writes_.erase_ids.emplace_back(key, *row);
    if (row->has_document) writes_.erase_documents.push_back(row->seq);
  }

  bool touch(const IdKey& key) { return touched_.insert({key.name_space, key.id}).second; }

  void remove(const Model& model) {
    const IdKey key = id();
    if (touch(key)) end(model, key);
  }

  void arrive(const Model& model) {
    seq_ += one_in(20) ? 1 + below(size_.gap) : 1;
    const IdKey key = id();
    if (!touch(key)) return;
    end(model, key);
    const DocumentRow row = make_row(key);
    IdRow of_id = id_row_of(row);
    of_id.has_document = !one_in(4);
    of_id.kept = !one_in(3);
    if (!of_id.kept) {
      of_id.original = one_in(2) ? 1 + seq_ / 8 * 7 : 1 + below(seq_);
      of_id.similarity = static_cast<Ppm>(below(1'000'001));
    }
    writes_.ids.emplace_back(key, of_id);
    if (!of_id.has_document) {
      if (one_in(2)) writes_.texts.emplace_back(seq_, texts_.emplace_back(text()));
      return;
    }
    writes_.documents.push_back({row, texts_.emplace_back(text()), index_of(row)});
  }

  DocumentRow make_row(const IdKey& key) {
    DocumentRow row = document(seq_, make_sketch());
    row.name_space = key.name_space;
    row.id = key.id;
    row.content.low = 0;
    row.content.low = key_of(any_bucket()) ^ content_bucket(row.content, row.name_space).key;
    row.text_bytes = static_cast<std::uint32_t>(below(1'000));
    if (one_in(6)) row.sketch.clear();
    return row;
  }

  static std::string tail(std::uint64_t n) { return n == 0 ? "" : std::to_string(n); }
  std::string text() { return std::string(below(300), static_cast<char>('a' + below(26))); }

  void change_values() {
    for (std::uint64_t n = below(4); n > 0; --n) {
      writes_.meta.emplace_back("key" + std::to_string(below(9)), std::string(below(3), 'v'));
    }
    for (std::uint64_t n = below(3); n > 0; --n) {
      writes_.erase_outbox.push_back(below(kHistoryBatches));
    }
    for (std::uint64_t n = below(3); n > 0; --n) {
      writes_.outbox.emplace_back(below(kHistoryBatches), std::string(1 + below(3'000), 'o'));
    }
  }

  std::mt19937_64 random_;
  HistorySize size_;
  Seq seq_ = 0;
  std::vector<std::vector<std::uint64_t>> sketches_;  // of all that arrived
  WriteSet writes_;
  std::list<std::string> texts_;                           // in writes_
  std::set<std::pair<std::string, std::string>> touched_;  // ids that writes_ changes
};

}  // namespace neardup::testing
