// Batches of random records, for the tests of the log.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "gpu/cpu/sketcher.h"
#include "gpu/keys.h"
#include "pipeline/model/sketched_batch.h"
#include "pipeline/rule/rule.h"
#include "service/kafka/message/trace_context.h"

namespace neardup {

inline const char* const kCluster = "2c5d3f0e-8c9b-4a55-b1c2-7f6f572a5fce";

class RandomBatch {
 public:
  RandomBatch(const Rule& rule, unsigned seed)
      : rule_(rule), random_(seed), keys_of_bands_(make_band_keys(rule.plan)) {}

  // `records` with offsets from `offset` on, with gaps.
  SketchedBatch make(std::size_t records, std::uint64_t offset = 0) {
    SketchedBatch batch;
    batch.rows.reset(rule_.plan.shape(), records);
    for (std::size_t i = 0; i < records; ++i) {
      offset += one_in(8) ? random_() % 300 : 0;
      add(offset++, i, batch);
    }
    return batch;
  }

  std::vector<std::optional<TraceContext>> traces(std::size_t records) {
    std::vector<std::optional<TraceContext>> traces(records);
    for (auto& trace : traces) {
      if (one_in(2)) continue;
      trace = TraceContext{"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                           one_in(2) ? "" : "vendor=" + word(40)};
    }
    return traces;
  }

 private:
  bool one_in(unsigned n) { return random_() % n == 0; }
  std::string word(std::size_t most) {
    std::string text;
    for (auto n = 1 + random_() % most; n > 0; --n) text += static_cast<char>('a' + random_() % 26);
    return text;
  }

  void add(std::uint64_t offset, std::size_t i, SketchedBatch& batch) {
    Record& record = batch.records.emplace_back();
    record.kind = static_cast<RecordKind>(one_in(4) ? random_() % 3 : 0);
    const bool rejected = record.kind == RecordKind::kRejected;
    if (!rejected || one_in(2)) record.id = one_in(9) ? std::string(kMaxIdBytes, 'x') : word(40);
    record.has_id = !record.id.empty();
    if (one_in(3)) record.name_space = "né" + word(2);
    if (one_in(3)) record.url = "https://" + word(90);
    if (one_in(2)) record.ts_ms = static_cast<std::int64_t>(random_()) - 2'000'000'000;
    if (one_in(2)) record.text_bytes = random_();
    if (rejected) {
      record.reason = static_cast<RejectReason>(1 + random_() % (kRejectReasonNames.size() - 1));
      record.detail = word(200);
    }
    record.source = {0, offset};
    const bool empty = record.kind != RecordKind::kDocument || one_in(9);
    finish(empty ? "" : word(700), i, batch);
  }

  void finish(const std::string& text, std::size_t i, SketchedBatch& batch) {
    const bool is_document = batch.records[i].kind == RecordKind::kDocument;
    batch.content.push_back(is_document ? Hash128{random_(), random_()} : Hash128{});
    batch.tokens.push_back(static_cast<std::uint32_t>(text.size() / 2));
    batch.text_bytes.push_back(static_cast<std::uint32_t>(text.size()));
    batch.texts.push(text);
    batch.has_sketch.push_back(batch.tokens[i] > 3);
    if (batch.has_sketch[i] == 0) return;
    SketchRows& rows = batch.rows;
    std::uint64_t* sketch = rows.sketch(i);
    for (std::uint32_t w = 0; w < rows.shape.sketch_words(); ++w)
      sketch[w] = std::uint64_t{random_()} << 32 | random_();
    pack_one_bit(rule_.plan, sketch, rows.one_bit(i));
    band_keys(rule_.plan, keys_of_bands_, sketch,
              hash_namespace(rule_.plan.sketch.seed, batch.records[i].name_space), rows.buckets(i));
    if (is_permutation(rule_.plan.sketch))
      rows.distinct_shingles[i] = static_cast<std::uint32_t>(random_());
  }

  Rule rule_;
  std::mt19937 random_;
  std::vector<std::uint64_t> keys_of_bands_;
};

inline Rule rule_of(std::uint32_t size, std::uint32_t bits, std::uint32_t bands,
                    std::uint32_t rows) {
  Rule rule;
  rule.plan.sketch.size = size;
  rule.plan.sketch.bits = bits;
  rule.plan.bands = bands;
  rule.plan.rows = rows;
  return rule;
}

inline Rule exact_rule() {
  Rule rule = rule_of(64, 8, 8, 4);
  rule.decision.verify = VerifyMode::kExact;
  return rule;
}

inline Rule permutation_rule() {
  Rule rule = rule_of(64, 8, 8, 4);
  rule.plan.sketch.family = SketchFamily::kMinhash;
  rule.plan.sketch.hash = MinhashHash::kPermutation;
  rule.plan.sketch.universe = 1 << 16;
  return rule;
}

inline void expect_same(const Record& a, const Record& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.reason, b.reason);
  EXPECT_EQ(a.has_id, b.has_id);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.name_space, b.name_space);
  EXPECT_EQ(a.url, b.url);
  EXPECT_EQ(a.detail, b.detail);
  EXPECT_EQ(a.ts_ms, b.ts_ms);
  EXPECT_EQ(a.text_bytes, b.text_bytes);
  EXPECT_EQ(a.source, b.source);
}

template <class Word>
void expect_same_row(const std::vector<Word>& a, std::size_t i, const std::vector<Word>& b,
                     std::size_t j, std::size_t words) {
  EXPECT_TRUE(std::equal(a.begin() + static_cast<std::ptrdiff_t>(i * words),
                         a.begin() + static_cast<std::ptrdiff_t>((i + 1) * words),
                         b.begin() + static_cast<std::ptrdiff_t>(j * words)));
}

// Record i of `a` and record j of `b`, and all that belongs to them.
inline void expect_same(const SketchedBatch& a, std::size_t i, const SketchedBatch& b,
                        std::size_t j, bool with_texts) {
  SCOPED_TRACE(i);
  expect_same(a.records[i], b.records[j]);
  EXPECT_EQ(a.content[i], b.content[j]);
  EXPECT_EQ(a.tokens[i], b.tokens[j]);
  EXPECT_EQ(a.text_bytes[i], b.text_bytes[j]);
  EXPECT_EQ(a.has_sketch[i], b.has_sketch[j]);
  EXPECT_EQ(a.rows.distinct_shingles[i], b.rows.distinct_shingles[j]);
  expect_same_row(a.rows.sketches, i, b.rows.sketches, j, a.rows.shape.sketch_words());
  expect_same_row(a.rows.one_bits, i, b.rows.one_bits, j, a.rows.shape.one_bit_words());
  expect_same_row(a.rows.band_keys, i, b.rows.band_keys, j, a.rows.shape.bands);
  EXPECT_EQ(with_texts ? a.texts.text(i) : "", b.texts.text(j));
}

}  // namespace neardup
