// Pages, long lists and filters of one generation: written, found and streamed.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <thread>

#include "tests/unit/storage/index/index_on_disk.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Seq kFirst = 1000;
constexpr Hash40 kLast = (Hash40{1} << kHashBits) - 1;

class PagesTest : public IndexStateTest {
 protected:
  Manifest manifest(unsigned prefix_bits = kLeastPrefixBits) {
    Manifest made;
    made.generation = next_++;
    made.first = kFirst;
    made.end = kFirst + 10'000;
    made.prefix_bits = prefix_bits;
    return made;
  }
  std::uint32_t next_ = 1;
};

// Hashes at both ends, close to each other, on pages of their own; short and long lists.
Postings all_kinds() {
  std::mt19937_64 random(5);
  Postings postings = {{0, {kFirst}},
                       {1, {kFirst, kFirst + 1}},
                       {kLast - 1, seqs_from(kFirst, kManyPostings - 1)},
                       {kLast, seqs_from(kFirst, kManyPostings)},
                       {77, seqs_from(kFirst + 3, 2 * kListChunk, 2)},
                       {78, seqs_from(kFirst, 3 * kListChunk + 1)}};
  for (int i = 0; i < 3000; ++i) postings[random() >> 24] = {kFirst + random() % 10'000};
  return postings;
}

TEST_F(PagesTest, ComeBackAtAnyWidth) {
  const Postings postings = all_kinds();
  for (const unsigned bits : {8u, 9u, 13u, 20u, 28u, 32u}) {
    const Manifest generation = write({postings}, manifest(bits));
    for (const auto& [hash, seqs] : postings) {
      ASSERT_EQ(find(generation, {0, hash}), seqs) << bits << " " << hash;
    }
    EXPECT_THAT(find(generation, {0, 2}), IsEmpty());
    EXPECT_THAT(find(generation, {0, kLast - 2}), IsEmpty());
    for (const unsigned step_bits : {8u, std::min(bits, 13u)}) {
      ASSERT_EQ(stream(generation, 0, std::size_t{1} << step_bits), postings) << bits;
    }
  }
}

TEST_F(PagesTest, ColumnsAndGenerationsAreKeptApart) {
  const std::vector<Postings> columns = {{{7, {kFirst}}}, {}, {{7, {kFirst + 2}}, {8, {kFirst}}}};
  const Manifest one = write(columns, manifest());
  const Manifest two = write({{{7, {kFirst + 9}}}}, manifest());
  EXPECT_THAT(find(one, {0, 7}), ElementsAre(kFirst));
  EXPECT_THAT(find(one, {1, 7}), IsEmpty());
  EXPECT_THAT(find(one, {2, 7}), ElementsAre(kFirst + 2));
  EXPECT_THAT(find(two, {0, 7}), ElementsAre(kFirst + 9));
  for (std::size_t i = 0; i < columns.size(); ++i) EXPECT_EQ(stream(one, i, 256), columns[i]) << i;
  EXPECT_EQ(one.columns[1], (ColumnSize{0, 4}));
  EXPECT_EQ(one.columns[2].postings, 2);
}

TEST_F(PagesTest, ManyProbesAreAnsweredEachAtItsPlace) {
  const Postings postings = all_kinds();
  const Manifest generation = write({postings, postings}, manifest(12));
  std::vector<Probe> probes;
  for (const auto& [hash, seqs] : postings) {
    probes.push_back({hash % 2, hash});
    probes.push_back({hash % 2, hash ^ 0x5555});
  }
  std::vector<std::uint32_t> places(probes.size());
  std::iota(places.begin(), places.end(), 0u);
  std::shuffle(places.begin(), places.end(), std::mt19937_64(3));
  std::vector<std::vector<Seq>> found(probes.size());
  find_in_pages(state_, generation, probes, places, 0, [&](std::uint32_t place, Seq seq) {
    found[place].push_back(seq);
    return true;
  });
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const auto wanted = postings.find(probes[i].hash);
    ASSERT_EQ(found[i], wanted == postings.end() ? std::vector<Seq>() : wanted->second) << i;
  }
}

TEST_F(PagesTest, AListBeginsBehindAnySeqAndEndsWhenAsked) {
  const Postings postings = all_kinds();
  const Manifest generation = write({postings}, manifest());
  for (const Hash40 hash : {Hash40{1}, Hash40{77}, Hash40{78}, kLast - 1, kLast}) {
    const std::vector<Seq>& all = postings.at(hash);
    for (const Seq after :
         {Seq{0}, kFirst - 1, kFirst, kFirst + 1, kFirst + kListChunk - 1, kFirst + kListChunk,
          kFirst + 2 * kListChunk + 7, all.back() - 1, all.back(), Seq{1} << 34, kMaxSeq}) {
      const auto begin = std::upper_bound(all.begin(), all.end(), after);
      const std::vector<Seq> wanted(begin, all.end());
      ASSERT_EQ(find(generation, {0, hash}, after), wanted) << hash << " after " << after;
      const std::vector<Seq> start(begin, begin + std::min<std::ptrdiff_t>(all.end() - begin, 3));
      ASSERT_EQ(find(generation, {0, hash}, after, 3), start) << hash << " after " << after;
    }
  }
}

TEST_F(PagesTest, FiltersComeBackAndContainEveryHash) {
  const Postings postings = all_kinds();
  const Manifest generation = write({{{5, {kFirst}}}, postings}, manifest());
  const auto filters = read_filters(state_, generation, 0, 2);
  EXPECT_TRUE(filters[0].may_contain(5));
  EXPECT_FALSE(filters[0].may_contain(77));
  for (const auto& [hash, seqs] : postings) ASSERT_TRUE(filters[1].may_contain(hash)) << hash;
}

TEST_F(PagesTest, TheFilterKnowsWhichHashesHaveSeveralPostings) {
  const Postings postings = all_kinds();
  const Manifest generation = write({postings}, manifest());
  const auto filters = read_filters(state_, generation, 0, 1);
  std::size_t mistaken = 0;
  for (const auto& [hash, seqs] : postings) {
    if (seqs.size() > 1) {
      ASSERT_TRUE(filters[0].may_repeat(hash)) << hash;
    } else {
      mistaken += filters[0].may_repeat(hash);
    }
  }
  EXPECT_LT(mistaken, postings.size() / 20);
}

TEST_F(PagesTest, AFilterOfSeveralPartsComesBack) {
  Postings postings;
  std::mt19937_64 random(6);
  while (postings.size() < 30'000) postings[random() >> 24] = {kFirst};
  const Manifest generation = write({postings}, manifest(12), 300);
  ASSERT_GT(generation.columns[0].filter_lines * Filter::kLineBytes, kFilterPartBytes);
  const auto filters = read_filters(state_, generation, 0, 1);
  for (const auto& [hash, seqs] : postings) ASSERT_TRUE(filters[0].may_contain(hash)) << hash;
  erase(encode_filter_key(generation.generation, 0, 1));
  expect_damage([&] { read_filters(state_, generation, 0, 1); });
}

TEST_F(PagesTest, ARemovedGenerationLeavesNothingAndItsNeighboursStay) {
  const Manifest generations[] = {write({all_kinds()}, manifest()),
                                  write({all_kinds()}, manifest()),
                                  write({all_kinds()}, manifest())};
  remove_generation(state_, generations[1].generation);
  EXPECT_THAT(read_manifests(state_), ElementsAre(generations[0], generations[2]));
  EXPECT_THAT(find(generations[1], {0, 78}), IsEmpty());
  EXPECT_EQ(stream(generations[0], 0, 256), all_kinds());
  EXPECT_EQ(stream(generations[2], 0, 256), all_kinds());
}

TEST_F(PagesTest, ManifestsCanBeReadWhileAnotherThreadRemovesGenerations) {
  constexpr std::size_t kGenerations = 60;
  std::vector<Manifest> generations;
  while (generations.size() < kGenerations) {
    generations.push_back(write({{{7, {kFirst}}}}, manifest()));
  }
  const std::jthread remover([&] {
    for (const Manifest& each : generations) remove_generation(state_, each.generation);
  });
  std::vector<Manifest> left = generations;
  for (; !left.empty(); left = read_manifests(state_)) {
    // Always the last ones.
    ASSERT_TRUE(std::equal(left.rbegin(), left.rend(), generations.rbegin()));
  }
}

class DamagedPagesTest : public PagesTest {
 protected:
  // Both ways to read hash 78 of the generation.
  void expect_damage_when_read() {
    expect_damage([this] { find(generation_, {0, 78}); });
    expect_damage([this] { stream(generation_, 0, 256); });
  }
  std::string page() const { return encode_page_key(generation_.generation, 0, 0); }
  std::string list(std::uint32_t first) const { return encode_list_key(page(), 78, first); }

  Manifest generation_ = write({all_kinds()}, manifest());
};

TEST_F(DamagedPagesTest, ACutPageIsDamage) {
  cut(page());
  expect_damage_when_read();
}

TEST_F(DamagedPagesTest, ACutLongListIsDamage) {
  cut(list(kListChunk));
  expect_damage_when_read();
}

TEST_F(DamagedPagesTest, AMissingLongListIsDamage) {
  for (std::uint32_t first = 0; first <= 3 * kListChunk; first += kListChunk) erase(list(first));
  expect_damage([this] { find(generation_, {0, 78}); });
  expect_damage([this] { find(generation_, {0, 78}, kFirst + 100); });
}

TEST_F(DamagedPagesTest, AMergeNoticesWhatIsMissing) {
  for (const std::uint32_t missing : {0u, 1u, 2u}) {
    generation_ = write({all_kinds()}, manifest());
    erase(missing == 0 ? page() : list((missing - 1) * kListChunk));
    Merge merge(state_, {generation_}, 1000 + missing, 16, 0, {});
    expect_damage([&] { merge.step([] { return true; }); });
  }
}

TEST_F(DamagedPagesTest, ACutOrMissingFilterIsDamage) {
  const std::string key = encode_filter_key(generation_.generation, 0, 0);
  cut(key);
  expect_damage([this] { read_filters(state_, generation_, 0, 1); });
  erase(key);
  expect_damage([this] { read_filters(state_, generation_, 0, 1); });
}

TEST_F(DamagedPagesTest, ACutOrMissingManifestIsDamage) {
  const std::string key = encode_manifest_key(generation_.generation);
  cut(key);
  expect_damage([this] { read_manifests(state_); });
  erase(key);
  expect_damage([this] { read_manifests(state_); });
}

}  // namespace
}  // namespace neardup::TEST_FILE
