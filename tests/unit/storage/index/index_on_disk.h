// What the tests of generations share: a separate state, and postings to put into it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "pipeline/base/failure.h"
#include "storage/generation/column_writer.h"
#include "storage/generation/page_stream.h"
#include "storage/index/build.h"
#include "tests/scratch_directory.h"

namespace neardup {

// hash → seqs, ascending.
using Postings = std::map<Hash40, std::vector<Seq>>;

class IndexStateTest : public testing::Test {
 protected:
  static StorageOptions options(const ScratchDirectory& scratch) {
    StorageOptions options;
    options.path = scratch.file("state");
    options.memory = std::uint64_t{4} << 20;
    options.temporary = true;
    return options;
  }

  // The postings of the columns become a generation; what is said of seqs and numbers is `like`.
  Manifest write(const std::vector<Postings>& columns, Manifest like,
                 std::uint64_t filter_bits = 16) {
    SstFiles files(state_, Family::kIndex, "index-" + std::to_string(like.generation));
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const std::uint64_t lines = Filter::lines_for(columns[column].size(), filter_bits);
      Filter filter = std::move(Filter::make({&lines, 1}).front());
      ColumnWriter writer(files, like, column, filter);
      for (const auto& [hash, seqs] : columns[column]) {
        for (const Seq seq : seqs) writer.add(hash, static_cast<std::uint32_t>(seq - like.first));
      }
      like.columns.push_back(writer.finish());
    }
    files.put(encode_manifest_key(like.generation), encode_manifest(like));
    files.finish();
    ingest(state_, {&files});
    return like;
  }

  std::vector<Seq> find(const Manifest& manifest, const Probe& probe, Seq after = 0,
                        std::size_t most = ~std::size_t{0}) {
    std::vector<Seq> found;
    std::vector<std::uint32_t> places = {0};
    find_in_pages(state_, manifest, {&probe, 1}, places, after, [&](std::uint32_t, Seq seq) {
      found.push_back(seq);
      return found.size() < most;
    });
    return found;
  }

  // All of a column, as a merge reads it in `steps` steps.
  Postings stream(const Manifest& manifest, std::size_t column, std::size_t steps) {
    PageStream stream(state_, manifest, column, manifest.first);
    Postings all;
    const Hash40 step = (Hash40{1} << kHashBits) / steps;
    for (Hash40 base = 0; base < Hash40{1} << kHashBits; base += step) {
      std::vector<std::uint64_t> postings;
      stream.read_until(base + step, postings);
      EXPECT_TRUE(std::is_sorted(postings.begin(), postings.end()));
      for (const std::uint64_t posting : postings) {
        const Hash40 hash = (base & ~Hash40{0xffffffff}) | (posting >> 32);
        all[hash].push_back(manifest.first + static_cast<std::uint32_t>(posting));
      }
    }
    return all;
  }

  void erase(const std::string& key) {
    ASSERT_TRUE(state_.db().Delete({}, state_.family(Family::kIndex), rocksdb::Slice(key)).ok());
  }
  // Cuts the last byte off a value.
  void cut(const std::string& key) {
    std::string value;
    rocksdb::ColumnFamilyHandle* const index = state_.family(Family::kIndex);
    ASSERT_TRUE(state_.db().Get({}, index, rocksdb::Slice(key), &value).ok());
    ASSERT_FALSE(value.empty());
    value.pop_back();
    rocksdb::WriteOptions unlogged;
    unlogged.disableWAL = true;
    ASSERT_TRUE(state_.db().Put(unlogged, index, rocksdb::Slice(key), value).ok());
  }
  // Ends as damage of the disk that names the state.
  template <class Call>
  void expect_damage(Call call) {
    try {
      call();
      ADD_FAILURE() << "went well";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kIo);
      EXPECT_NE(std::string(failure.what()).find(state_.path()), std::string::npos)
          << failure.what();
    }
  }

  ScratchDirectory scratch_;
  RocksdbState state_{options(scratch_), OpenMode::kReadWrite};
};

inline std::vector<Seq> seqs_from(Seq first, std::size_t count, Seq step = 1) {
  std::vector<Seq> seqs(count);
  for (std::size_t i = 0; i < count; ++i) seqs[i] = first + i * step;
  return seqs;
}

}  // namespace neardup
