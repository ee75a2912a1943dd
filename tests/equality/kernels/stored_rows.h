// Blocks of 1-bit sketches with gaps between them, and what RowScan finds in them.
#pragma once

#include <random>
#include <vector>

#include "gpu/search/row_scan.h"

namespace neardup {

struct StoredRows {
  // Blocks of up to 300 rows; few bits differ, so that many distances are equal.
  StoredRows(std::uint32_t rows, std::uint32_t words, std::uint64_t seed) : words_each(words) {
    std::mt19937_64 random(seed);
    Seq seq = 5'000;
    while (tags.size() < rows) {
      const auto left = rows - static_cast<std::uint32_t>(tags.size());
      const auto count = std::min(left, static_cast<std::uint32_t>(random() % 301));
      add(random, seq, count);
      seq += count + random() % 3;
    }
  }

  std::vector<SketchBlock> blocks() const {
    std::vector<SketchBlock> all = runs;
    std::size_t row = 0;
    for (SketchBlock& block : all) {
      block.words = sketches.data() + row * words_each;
      block.tags = tags.data() + row;
      row += block.count;
    }
    return all;
  }

  // With a stored row that is left out, for every other one.
  std::vector<RowQuery> queries(std::size_t count, const Shortlist& empty) const {
    std::vector<RowQuery> all;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = i * 37 % tags.size();
      const Seq except = i % 2 == 0 ? 0 : seqs[row];
      const auto tag = static_cast<NamespaceTag>(1 + i % 3);
      all.push_back({sketches.data() + row * words_each, tag, except, empty});
    }
    return all;
  }

  // Of each query, in order.
  std::vector<std::vector<NearSeq>> wanted(std::vector<RowQuery> queries) const {
    const RowScan scan({});
    for (const SketchBlock& block : blocks()) scan.add(block, queries);
    return finished(queries);
  }
  static std::vector<std::vector<NearSeq>> finished(std::vector<RowQuery>& queries) {
    std::vector<std::vector<NearSeq>> found;
    for (RowQuery& query : queries) found.push_back(query.nearest.finish());
    return found;
  }

  std::uint32_t words_each;
  std::vector<SketchBlock> runs;  // without words and tags
  std::vector<std::uint64_t> sketches;
  std::vector<NamespaceTag> tags;
  std::vector<Seq> seqs;

 private:
  void add(std::mt19937_64& random, Seq first, std::uint32_t count) {
    runs.push_back({first, count, words_each, nullptr, nullptr});
    for (std::uint32_t i = 0; i < count; ++i) {
      for (std::uint32_t w = 0; w < words_each; ++w) {
        sketches.push_back(random() & random() & random());
      }
      tags.push_back(static_cast<NamespaceTag>(random() % 4));
      seqs.push_back(first + i);
    }
  }
};

}  // namespace neardup
