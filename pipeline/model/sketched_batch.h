// A run of records after sketching, with all that look-up and decision need. Self-contained, so
// that one machine could sketch and another decide.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "pipeline/model/record.h"
#include "pipeline/model/text_batch.h"
#include "pipeline/model/types.h"

namespace neardup {

// Shapes of a sketch row, fixed by the rule.
struct SketchShape {
  std::uint32_t slots = 0;  // t or k: values in a sketch
  std::uint32_t bits = 0;   // b: bits of a value
  std::uint32_t bands = 0;  // M
  std::uint32_t rows = 0;   // r: values in a band
  std::uint32_t sketch_words() const { return (slots * bits + 63) / 64; }
  std::uint32_t one_bit_words() const { return (slots + 63) / 64; }
};

// Row i of each array belongs to record i. Records without a sketch (rejected, delete, empty, too
// short) have rows of zeros.
struct SketchRows {
  SketchRows() = default;
  SketchRows(const SketchShape& of_rows, std::size_t n) { reset(of_rows, n); }

  // Becomes `n` rows of zeros. Keeps its memory, since chunks are recycled.
  void reset(const SketchShape& of_rows, std::size_t n) {
    shape = of_rows;
    sketches.assign(n * shape.sketch_words(), 0);
    one_bits.assign(n * shape.one_bit_words(), 0);
    band_keys.assign(n * shape.bands, 0);
    distinct_shingles.assign(n, 0);
  }

  const std::uint64_t* sketch(std::size_t i) const {
    return sketches.data() + i * shape.sketch_words();
  }
  std::uint64_t* sketch(std::size_t i) { return sketches.data() + i * shape.sketch_words(); }
  const std::uint64_t* one_bit(std::size_t i) const {
    return one_bits.data() + i * shape.one_bit_words();
  }
  std::uint64_t* one_bit(std::size_t i) { return one_bits.data() + i * shape.one_bit_words(); }
  const std::uint64_t* buckets(std::size_t i) const { return band_keys.data() + i * shape.bands; }
  std::uint64_t* buckets(std::size_t i) { return band_keys.data() + i * shape.bands; }

  SketchShape shape;
  std::vector<std::uint64_t> sketches;   // n × sketch_words, row-major (docs/formats/sketch.md)
  std::vector<std::uint64_t> one_bits;   // n × one_bit_words
  std::vector<std::uint64_t> band_keys;  // n × bands
  // n; 0 except in the permutation family.
  std::vector<std::uint32_t> distinct_shingles;
};

struct SketchedBatch {
  std::vector<Record> records;
  std::vector<Hash128> content;       // of the normalised text
  std::vector<std::uint32_t> tokens;  // with shingle.unit char: code points of the normalised text
  std::vector<std::uint32_t> text_bytes;  // of the normalised text
  std::vector<std::uint8_t> has_sketch;   // 0: rows of zeros, compared by content at most
  SketchRows rows;
  TextBatch texts;                // normalised texts
  TextBatch raw_texts;            // as they came, where texts are kept; else it has none
  std::uint64_t input_bytes = 0;  // of raw text, for rates

  std::size_t size() const { return records.size(); }

  // The text of record i that a store keeps. A chunk of a cluster's log has normalised texts alone.
  std::string_view kept_text(std::size_t i) const {
    return raw_texts.size() == 0 ? texts.text(i) : raw_texts.text(i);
  }

  // Frees the normalised texts where kept_text does not read them.
  void keep_one_text_each() {
    if (raw_texts.size() != 0) texts = TextBatch();
  }
};

}  // namespace neardup
