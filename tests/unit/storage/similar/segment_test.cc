#include "storage/similar/segment.h"

#include <gmock/gmock.h>
#include <xxhash.h>

#include <cstddef>
#include <cstring>
#include <random>

#include "pipeline/base/failure.h"
#include "storage/similar/segment_writer.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAreArray;

constexpr std::uint32_t kKeywords = 3;
constexpr SegmentKind kKind{77, KeywordSource::kSketch, kKeywords};

// Documents with gaps between their seqs, in several blocks, and few different keywords.
struct Documents {
  std::vector<Seq> seqs;
  std::vector<std::uint16_t> rows;
  mutable std::vector<std::uint16_t> values;  // of one position, for column()

  explicit Documents(std::size_t count, Seq first = 100) {
    std::mt19937_64 random(first);
    for (Seq seq = first; seqs.size() < count; seq += 1 + random() % 300) {
      seqs.push_back(seq);
      for (std::uint32_t i = 0; i < kKeywords; ++i) {
        rows.push_back(static_cast<std::uint16_t>(random() % 5 * 0x3fff));
      }
    }
  }
  FillColumn column() const {
    return column_of_values([this](std::uint32_t position) {
      values.clear();
      for (std::size_t at = position; at < rows.size(); at += kKeywords) {
        values.push_back(rows[at]);
      }
      return std::span<const std::uint16_t>(values);
    });
  }
  SegmentRange range() const { return {seqs.front(), seqs.back() + 1, kKind}; }
  SegmentBytes bytes() const { return make_segment(range(), seqs, column()); }
};

std::vector<Seq> seqs_of(const Segment& segment) {
  std::vector<Seq> seqs;
  for (std::uint32_t i = 0; i < segment.documents(); ++i) seqs.push_back(segment.seq(i));
  return seqs;
}

// The keywords of all documents, read from their postings.
std::vector<std::uint16_t> rows_of(const Segment& segment) {
  const KeywordPostings& postings = segment.postings();
  std::vector<std::uint16_t> rows(std::size_t{segment.documents()} * kKeywords);
  for (std::uint32_t position = 0; position < kKeywords; ++position) {
    const std::uint32_t* starts = postings.starts(position);
    const std::uint32_t* places = postings.places(position);
    for (std::uint32_t value = 0; value < kKeywordValues; ++value) {
      EXPECT_TRUE(std::is_sorted(places + starts[value], places + starts[value + 1]));
      for (std::uint32_t at = starts[value]; at < starts[value + 1]; ++at) {
        rows[std::size_t{places[at]} * kKeywords + position] = static_cast<std::uint16_t>(value);
      }
    }
    EXPECT_EQ(starts[kKeywordValues], segment.documents());
  }
  return rows;
}

TEST(SegmentTest, HasTheDocumentsItWasMadeOf) {
  for (const std::size_t count : {1u, 2u, 1'000u}) {
    const Documents documents(count);
    const auto segment = Segment::parse(documents.bytes(), kKind);
    ASSERT_NE(segment, nullptr);
    EXPECT_EQ(segment->first(), documents.seqs.front());
    EXPECT_EQ(segment->end(), documents.seqs.back() + 1);
    EXPECT_THAT(seqs_of(*segment), ElementsAreArray(documents.seqs));
    EXPECT_THAT(rows_of(*segment), ElementsAreArray(documents.rows));
  }
}

TEST(SegmentTest, AFileHasWhatItWasMadeOf) {
  const ScratchDirectory scratch;
  const Documents documents(500);
  write_segment(scratch.file("s"), documents.range(), documents.seqs, documents.column());
  const auto segment = Segment::open(scratch.file("s"), kKind);
  ASSERT_NE(segment, nullptr);
  EXPECT_THAT(seqs_of(*segment), ElementsAreArray(documents.seqs));
  EXPECT_THAT(rows_of(*segment), ElementsAreArray(documents.rows));
  EXPECT_EQ(segment->bytes(), scratch.read("s").size());
}

TEST(SegmentTest, AFileThatCannotBeWrittenLeavesNothing) {
  const Documents documents(5);
  const auto fill = documents.column();
  EXPECT_THROW(write_segment("/missing/s", documents.range(), documents.seqs, fill), Failure);
  const ScratchDirectory scratch;
  const auto failing = [](auto...) { throw Failure(Exit::kIo, "on purpose"); };
  EXPECT_THROW(write_segment(scratch.file("s"), documents.range(), documents.seqs, failing),
               Failure);
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

TEST(SegmentTest, DamagedFilesAreRefused) {
  const ScratchDirectory scratch;
  const Documents documents(300);
  write_segment(scratch.file("s"), documents.range(), documents.seqs, documents.column());
  const std::string whole = scratch.read("s");
  const auto opens = [&](std::string_view bytes) {
    return Segment::open(scratch.write("s", bytes), kKind) != nullptr;
  };
  ASSERT_TRUE(opens(whole));
  for (std::size_t at = 0; at < whole.size(); at += at < 200 ? 1 : 9'973) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_FALSE(opens(damaged)) << at;
    EXPECT_FALSE(opens(std::string_view(whole).substr(0, at))) << at;
  }
  EXPECT_FALSE(opens(whole + '\0'));
  EXPECT_EQ(Segment::open(scratch.file("missing"), kKind), nullptr);
  EXPECT_EQ(Segment::open(scratch.path(), kKind), nullptr);
}

// With the checksum of what it says.
SegmentBytes with_number(const SegmentBytes& whole, std::size_t at, std::uint32_t number) {
  const auto words = std::make_shared<std::vector<std::uint64_t>>((whole.bytes.size() + 7) / 8);
  auto* bytes = reinterpret_cast<char*>(words->data());
  std::memcpy(bytes, whole.bytes.data(), whole.bytes.size());
  std::memcpy(bytes + at, &number, sizeof number);
  constexpr std::size_t kFrom = offsetof(SegmentHeader, identity);
  const std::uint64_t checksum = XXH3_64bits(bytes + kFrom, whole.bytes.size() - kFrom);
  std::memcpy(bytes + offsetof(SegmentHeader, checksum), &checksum, sizeof checksum);
  return {words, std::as_bytes(std::span(bytes, whole.bytes.size()))};
}

TEST(SegmentTest, ThoseThatLeadOutOfThemselvesAreRefused) {
  const Documents documents(300);
  const SegmentBytes whole = documents.bytes();
  SegmentHeader header;
  std::memcpy(&header, whole.bytes.data(), sizeof header);
  const SegmentLayout layout = segment_layout(header);
  const auto opens = [&](std::size_t at, std::uint32_t number) {
    return Segment::parse(with_number(whole, at, number), kKind) != nullptr;
  };
  const std::size_t starts = layout.columns;
  const std::size_t places = starts + std::size_t{kKeywordValues + 1} * 4;
  ASSERT_TRUE(opens(starts, 0));
  EXPECT_FALSE(opens(starts, 1));        // a place before the first start
  EXPECT_FALSE(opens(starts + 4, 301));  // starts that go back
  EXPECT_FALSE(opens(starts + std::size_t{kKeywordValues} * 4, 299));
  EXPECT_FALSE(opens(places, 300));
  EXPECT_FALSE(opens(places + 299 * 4, 0xffffffff));
  EXPECT_FALSE(opens(layout.block_ends, 301));  // more documents than there are
  EXPECT_FALSE(opens(layout.low_bits, 99));     // a seq before the first
  EXPECT_FALSE(opens(layout.low_bits + 4, 0));  // seqs that go back
}

TEST(SegmentTest, ThoseOfAnotherKindAreRefused) {
  const Documents documents(3);
  const auto [identity, source, keywords] = kKind;
  for (const SegmentKind& kind :
       {SegmentKind{identity + 1, source, keywords}, SegmentKind{identity, source, keywords + 1},
        SegmentKind{identity, KeywordSource::kOneBit, keywords}}) {
    EXPECT_EQ(Segment::parse(documents.bytes(), kind), nullptr);
  }
}

TEST(SegmentTest, AMergeKeepsWhatIsNotDropped) {
  const Documents first(400, 50);
  const Documents second(300, first.seqs.back() + 1);
  const std::vector<std::shared_ptr<const Segment>> sources{Segment::parse(first.bytes(), kKind),
                                                            Segment::parse(second.bytes(), kKind)};
  std::vector<std::vector<std::uint32_t>> places(2);
  std::vector<Seq> seqs;
  std::vector<std::uint16_t> rows;
  for (const Documents* source : {&first, &second}) {
    auto& to = places[source == &first ? 0 : 1];
    for (std::size_t i = 0; i < source->seqs.size(); ++i) {
      const bool dropped = i % 7 == 2;
      to.push_back(dropped ? kDropped : static_cast<std::uint32_t>(seqs.size()));
      if (dropped) continue;
      seqs.push_back(source->seqs[i]);
      const auto row = source->rows.begin() + static_cast<std::ptrdiff_t>(i * kKeywords);
      rows.insert(rows.end(), row, row + kKeywords);
    }
  }
  const SegmentRange range{first.seqs.front(), second.seqs.back() + 1, kKind};
  const auto merged =
      Segment::parse(make_segment(range, seqs, column_of_segments(sources, places)), kKind);
  ASSERT_NE(merged, nullptr);
  EXPECT_THAT(seqs_of(*merged), ElementsAreArray(seqs));
  EXPECT_THAT(rows_of(*merged), ElementsAreArray(rows));
}

TEST(SegmentTest, ASegmentMayHaveNoDocuments) {
  const SegmentRange range{10, 20, kKind};
  const Documents none(0);
  const auto segment = Segment::parse(make_segment(range, {}, none.column()), kKind);
  ASSERT_NE(segment, nullptr);
  EXPECT_EQ(segment->documents(), 0);
  EXPECT_EQ(segment->end(), 20);
}

}  // namespace
}  // namespace neardup::TEST_FILE
