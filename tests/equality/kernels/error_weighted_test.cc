// The kernels of error weighted hashing give the buckets of a stable sort, and the scores of
// comparing all keys.
#include <bit>
#include <map>
#include <random>

#include "search_memory.h"

namespace neardup::cuda::TEST_FILE {
namespace {

struct Case {
  Case(u32 function_count, u32 key_bits, u32 strings, u32 words_each, std::uint64_t seed)
      : functions(function_count), bits(key_bits), words(words_each), count(strings) {
    std::mt19937_64 random(seed);
    for (u32 i = 0; i < functions * bits; ++i) {
      positions.push_back(static_cast<u32>(random() % (words * 64)));
    }
    // Some keys are frequent, most are rare.
    for (u32 i = 0; i < count * words; ++i) {
      row_words.push_back(random() % 3 == 0 ? random() : random() & random() & random() & random());
    }
  }

  u32 key(u32 function, const u64* string) const {
    u32 value = 0;
    for (u32 i = 0; i < bits; ++i) {
      const u32 position = positions[function * bits + i];
      value = 2 * value + static_cast<u32>(string[position / 64] >> (position % 64) & 1);
    }
    return value;
  }
  const u64* string(u32 i) const { return row_words.data() + std::size_t{i} * words; }

  u32 functions;
  u32 bits;
  u32 words;
  u32 count;
  std::vector<u32> positions;
  std::vector<u64> row_words;
};

struct Weighing {
  std::vector<u32> weights;  // α by the number of errors
  u32 least_score;
  u32 groups;
};

std::vector<Probe> probes_of(u32 bits, const std::vector<u32>& weights) {
  std::vector<Probe> probes;
  for (u32 mask = 0; mask < u32{1} << bits; ++mask) {
    const auto errors = static_cast<u32>(std::popcount(mask));
    if (errors < weights.size()) probes.push_back({mask, weights[errors]});
  }
  return probes;
}

class ErrorWeightedTest : public SearchKernelsTest {
 protected:
  // A case in memory of the kernels, hashed.
  struct Hashed {
    Hashed(Launcher where, const Case& of)
        : positions(where, of.positions),
          strings(where, of.row_words),
          starts(where, std::vector<u32>(of.functions * ((u64{1} << of.bits) + 1), 77)),
          places(where, std::vector<u32>(u64{of.functions} * of.count, 77)),
          how{positions.get(), of.functions, of.bits},
          rows{strings.get(), of.count, of.words} {
      Hashing hashing{how, rows, nullptr, nullptr, nullptr, starts.get(), places.get()};
      Memory<u64> pairs(where, std::vector<u64>(hashing.first_pair(of.functions), 77));
      Memory<u64> spare(where, std::vector<u64>(hashing.first_pair(of.functions), 77));
      Memory<u32> digits(where,
                         std::vector<u32>(u64{of.functions} * hashing.tiles() * kDigits, 77));
      hashing.pairs = pairs.get();
      hashing.spare = spare.get();
      hashing.digits = digits.get();
      run_kernels(where, hashing);
    }
    Memory<u32> positions;
    Memory<u64> strings;
    Memory<u32> starts;
    Memory<u32> places;
    SampledBits how;
    PackedRows rows;
  };

  void expect_buckets(const Case& of) const {
    Hashed hashed(GetParam(), of);
    const std::size_t keys = (std::size_t{1} << of.bits) + 1;
    for (u32 function = 0; function < of.functions; ++function) {
      std::map<u32, std::vector<u32>> buckets;
      for (u32 i = 0; i < of.count; ++i) buckets[of.key(function, of.string(i))].push_back(i);
      std::vector<u32> starts(keys);
      std::vector<u32> places;
      for (std::size_t key = 0; key < keys; ++key) {
        starts[key] = static_cast<u32>(places.size());
        const auto own = buckets.find(static_cast<u32>(key));
        if (own != buckets.end()) {
          places.insert(places.end(), own->second.begin(), own->second.end());
        }
      }
      const auto part = [&](Memory<u32>& all, std::size_t size) {
        const auto begin = all.read().begin() + static_cast<std::ptrdiff_t>(function * size);
        return std::vector<u32>(begin, begin + static_cast<std::ptrdiff_t>(size));
      };
      ASSERT_EQ(part(hashed.starts, keys), starts) << "function " << function;
      ASSERT_EQ(part(hashed.places, of.count), places) << "function " << function;
    }
  }

  using Found = std::vector<std::pair<u32, u32>>;  // distance and string
  static Found wanted(const Case& of, const u64* query, const Weighing& how) {
    Found found;
    for (u32 i = 0; i < of.count; ++i) {
      u32 score = 0;
      for (u32 function = 0; function < of.functions; ++function) {
        const auto errors = static_cast<u32>(
            std::popcount(of.key(function, query) ^ of.key(function, of.string(i))));
        if (errors < how.weights.size()) score += how.weights[errors];
      }
      u32 distance = 0;
      for (u32 w = 0; w < of.words; ++w) distance += hd::count_naive(query[w] ^ of.string(i)[w]);
      if (score >= how.least_score) found.emplace_back(distance, i);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  void expect_found(const Case& of, const std::vector<u64>& queries, const Weighing& how,
                    u32 room) const {
    Hashed hashed(GetParam(), of);
    const u32 query_count = static_cast<u32>(queries.size() / of.words);
    auto probes = memory(probes_of(of.bits, how.weights));
    auto of_queries = memory(queries);
    auto scores = filled<u32>(std::size_t{how.groups} * ByteCounters::words_of(of.count), 0);
    auto hits = filled<NearHit>(std::size_t{query_count} * room, {77, 77});
    auto counts = filled<u32>(query_count, 0);
    run_kernels(GetParam(), WeighErrors{hashed.how,
                                        hashed.rows,
                                        hashed.starts.get(),
                                        hashed.places.get(),
                                        probes.get(),
                                        static_cast<u32>(probes.read().size()),
                                        {of_queries.get(), query_count, of.words},
                                        how.least_score,
                                        how.groups,
                                        scores.get(),
                                        {hits.get(), counts.get(), query_count, room}});
    EXPECT_EQ(scores.read(), std::vector<u32>(scores.read().size(), 0));
    const std::vector<NearHit>& kept = hits.read();
    const std::vector<u32>& found_counts = counts.read();
    for (u32 query = 0; query < query_count; ++query) {
      Found found;
      for (const NearHit& hit : hits_of(kept, found_counts, query)) {
        found.emplace_back(hit.distance, hit.row);
      }
      std::sort(found.begin(), found.end());
      const Found all = wanted(of, queries.data() + query * of.words, how);
      EXPECT_EQ(found_counts[query], all.size());
      EXPECT_EQ(found.size(), std::min<std::size_t>(all.size(), room));
      EXPECT_TRUE(std::includes(all.begin(), all.end(), found.begin(), found.end()));
      EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
    }
  }

  // Queries that are near a stored string, and one that is none.
  static std::vector<u64> queries_for(const Case& of, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<u64> queries(of.words);
    for (u64& word : queries) word = random();
    for (u32 i = 0; i < std::min(of.count, 4u); ++i) {
      const u64* const near = of.string(static_cast<u32>(random() % of.count));
      for (u32 w = 0; w < of.words; ++w) queries.push_back(near[w] ^ u64{1} << random() % 64);
    }
    return queries;
  }
};
INSTANTIATE_TEST_SUITE_P(Serial, ErrorWeightedTest, testing::Values(Launcher::kSerial));
INSTANTIATE_TEST_SUITE_P(Device, ErrorWeightedTest, testing::Values(Launcher::kDevice));

TEST_P(ErrorWeightedTest, the_places_of_a_bucket_ascend) {
  for (const u32 bits : {1, 4, 8, 9, 16, 17}) {
    for (const u32 strings : {0, 1, 255, 256, 257, 4095, 4096, 4097, 9000}) {
      SCOPED_TRACE(testing::Message() << strings << " strings, " << bits << " bits");
      expect_buckets(Case(strings % 2 == 0 ? 3 : 1, bits, strings, 2, bits * 10'000 + strings));
    }
  }
}

TEST_P(ErrorWeightedTest, equal_strings_stay_in_order) {
  Case of(2, 20, 5000, 1, 3);
  std::fill(of.row_words.begin(), of.row_words.end(), of.row_words.front());
  expect_buckets(of);
}

TEST_P(ErrorWeightedTest, finds_the_strings_that_reach_the_score) {
  const std::vector<u32> weights[] = {{1}, {2, 1}, {3, 2, 1}, {1, 1, 1}};
  for (const u32 words : {1, 5}) {
    for (const u32 strings : {0, 1, 5, 300, 1100}) {
      for (const u32 bits : {1, 4, 10}) {
        for (const auto& alpha : weights) {
          const u32 functions = bits == 10 ? 25 : 4;
          const Case of(functions, bits, strings, words, strings + bits + words);
          const u32 scores[] = {1, functions * alpha[0] / 2, functions * alpha[0]};
          for (const u32 least : scores) {
            SCOPED_TRACE(testing::Message()
                         << strings << " strings, " << words << " words, " << bits
                         << " bits, errors below " << alpha.size() << ", score " << least);
            expect_found(of, queries_for(of, least), {alpha, least, 1 + strings % 3}, strings);
          }
        }
      }
    }
  }
}

TEST_P(ErrorWeightedTest, a_score_can_be_255) {
  Case of(85, 3, 50, 1, 7);
  std::copy_n(of.row_words.begin(), 25, of.row_words.begin() + 25);
  expect_found(of, {of.row_words[3]}, {{3}, 255, 1}, 50);
}

TEST_P(ErrorWeightedTest, more_lists_than_threads_are_walked_in_turn) {
  const Case of(25, 12, 2000, 2, 5);  // 25 × 79 lists
  expect_found(of, queries_for(of, 1), {{3, 2, 1}, 3, 3}, 2000);
}

TEST_P(ErrorWeightedTest, a_list_that_is_too_short_is_known_by_its_count) {
  const Case of(4, 4, 800, 2, 6);
  expect_found(of, queries_for(of, 2), {{3, 2, 1}, 2, 2}, 9);
}

}  // namespace
}  // namespace neardup::cuda::TEST_FILE
