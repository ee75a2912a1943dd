// Documents whose sketches are written out: one letter a stored value, sixteen values in four
// bands.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "gpu/hd/pack.h"
#include "gpu/keys.h"
#include "pipeline/model/sketched_batch.h"
#include "pipeline/rule/rule.h"

namespace neardup {

inline constexpr std::uint32_t kValues = 16;

// 13 of 16 equal values reach the threshold.
inline Rule small_rule() {
  Rule rule;
  rule.plan.sketch.size = kValues;
  rule.plan.bands = 4;
  rule.plan.rows = 4;
  return rule;
}

class BatchMaker {
 public:
  explicit BatchMaker(const Rule& rule) : rule_(rule), keys_(make_sketch_keys(rule.plan)) {}

  // `values`: sixteen letters, or none for a text that is too short. The text is `values` unless
  // given.
  BatchMaker& document(std::string id, std::string_view values, std::string text = "",
                       std::string name_space = "") {
    add(RecordKind::kDocument, std::move(id), std::move(name_space));
    if (text.empty()) text = values;
    finish(values, text, text.empty() ? 0 : static_cast<std::uint32_t>(values.size() + 1));
    return *this;
  }
  BatchMaker& remove(std::string id, std::string name_space = "") {
    add(RecordKind::kDelete, std::move(id), std::move(name_space));
    finish("", "", 0);
    return *this;
  }
  BatchMaker& rejected(std::string id) {
    add(RecordKind::kRejected, std::move(id), "");
    batch_.records.back().reason = RejectReason::kMissingText;
    finish("", "", 0);
    return *this;
  }
  // Of the record added last.
  BatchMaker& at_time(std::int64_t ts_ms) {
    batch_.records.back().ts_ms = ts_ms;
    return *this;
  }
  // As if hashing had put it there.
  BatchMaker& in_bucket(std::uint32_t band, std::uint64_t key) {
    batch_.rows.band_keys[batch_.rows.band_keys.size() - rule_.plan.bands + band] = key;
    return *this;
  }

  SketchedBatch take() { return std::exchange(batch_, {}); }
  std::uint64_t bucket(std::string_view values, std::uint32_t band,
                       std::string_view name_space = "") const {
    std::uint64_t sketch[2] = {0, 0};
    pack(values, sketch, 8);
    const std::uint64_t hash = hash_namespace(rule_.plan.sketch.seed, name_space);
    return hd::band_key(sketch, 8, band, rule_.plan.rows, keys_.bands[band], hash);
  }

 private:
  static void pack(std::string_view values, std::uint64_t* words, std::uint32_t bits) {
    for (std::uint32_t i = 0; i < values.size(); ++i)
      hd::put_packed(words, i, bits, static_cast<unsigned char>(values[i]));
  }

  void add(RecordKind kind, std::string id, std::string name_space) {
    Record record;
    record.kind = kind;
    record.has_id = true;
    record.id = std::move(id);
    record.name_space = std::move(name_space);
    batch_.records.push_back(std::move(record));
  }

  void finish(std::string_view values, const std::string& text, std::uint32_t tokens) {
    batch_.rows.shape = rule_.plan.shape();
    batch_.content.push_back({std::hash<std::string>{}(text), 7});
    batch_.tokens.push_back(tokens);
    batch_.text_bytes.push_back(static_cast<std::uint32_t>(text.size()));
    batch_.has_sketch.push_back(values.empty() ? 0 : 1);
    batch_.texts.push(text);
    std::uint64_t sketch[2] = {0, 0};
    std::uint64_t one_bit = 0;
    pack(values, sketch, 8);
    pack(values, &one_bit, 1);
    batch_.rows.sketches.insert(batch_.rows.sketches.end(), sketch, sketch + 2);
    batch_.rows.one_bits.push_back(one_bit);
    batch_.rows.distinct_shingles.push_back(0);
    for (std::uint32_t m = 0; m < rule_.plan.bands; ++m)
      batch_.rows.band_keys.push_back(bucket(values, m, batch_.records.back().name_space));
  }

  Rule rule_;
  SketchKeys keys_;
  SketchedBatch batch_;
};

}  // namespace neardup
