// Blocks of 1-bit sketches with gaps between them, and what RowScan finds in them.
#pragma once

#include <random>
#include <vector>

#include "gpu/search/device_rows.h"

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

  // The blocks of the seqs from `from` on. The rows must outlive the result.
  VisitBlocks visit(Seq from = 0) const {
    return [this, from](const std::function<bool(const SketchBlock&)>& take) {
      for (SketchBlock block : blocks()) {
        if (block.first + block.count <= from) continue;
        const auto before =
            block.first < from ? static_cast<std::uint32_t>(from - block.first) : 0u;
        block.first += before;
        block.count -= before;
        block.words += std::size_t{before} * block.words_each;
        block.tags += before;
        if (!take(block)) return;
      }
    };
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
    for (const SketchBlock& block : blocks()) scan.add(block, {queries, words_each});
    return finished(queries);
  }
  static std::vector<std::vector<NearSeq>> finished(std::vector<RowQuery>& queries) {
    std::vector<std::vector<NearSeq>> found;
    for (RowQuery& query : queries) found.push_back(query.nearest.finish());
    return found;
  }

  // Without the first `rows` rows, without the last ones, without a block. Of a single run: without
  // `rows` rows from `row` on.
  void cut_front(std::size_t rows) {
    while (rows > 0 && rows >= runs.front().count) {
      rows -= runs.front().count;
      drop_block(0);
    }
    if (rows == 0) return;
    runs.front().first += rows;
    runs.front().count -= static_cast<std::uint32_t>(rows);
    erase(0, rows);
  }
  void cut_back(std::size_t rows) {
    while (rows > 0 && rows >= runs.back().count) {
      rows -= runs.back().count;
      drop_block(runs.size() - 1);
    }
    if (rows == 0) return;
    runs.back().count -= static_cast<std::uint32_t>(rows);
    erase(tags.size() - rows, rows);
  }
  void drop_block(std::size_t index) {
    std::size_t row = 0;
    for (std::size_t i = 0; i < index; ++i) row += runs[i].count;
    erase(row, runs[index].count);
    runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(index));
  }

  void cut_middle(std::uint32_t row, std::uint32_t rows) {
    const SketchBlock run = runs.front();
    erase(row, rows);
    runs = {{run.first, row, words_each, nullptr, nullptr},
            {run.first + row + rows, run.count - row - rows, words_each, nullptr, nullptr}};
  }

  std::uint32_t words_each;
  std::vector<SketchBlock> runs;  // without words and tags
  std::vector<std::uint64_t> sketches;
  std::vector<NamespaceTag> tags;
  std::vector<Seq> seqs;

 private:
  void erase(std::size_t row, std::size_t rows) {
    const auto cut = [&](auto& values, std::size_t each) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * each);
      values.erase(begin, begin + static_cast<std::ptrdiff_t>(rows * each));
    };
    cut(sketches, words_each);
    cut(tags, 1);
    cut(seqs, 1);
  }
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
