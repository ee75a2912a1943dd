#include "gpu/cuda/search/device_postings.h"

#include <algorithm>
#include <map>

#include "gpu/cuda/search/copies.h"
#include "gpu/cuda/search/kernels/search_kernels.h"
#include "gpu/cuda/search/on_device.h"
#include "gpu/cuda/search/search_memory.h"

namespace neardup::cuda {
namespace {

u64 column_words(const KeywordPostings& postings) {
  return u64{postings.keywords} * postings.column_size();
}

u32 unknown_words(u32 documents) { return documents / 32 + (documents % 32 != 0); }

u64 bytes_of(const KeywordPostings& postings, u32 words_each) {
  return column_words(postings) * sizeof(u32) + u64{postings.documents} * words_each * sizeof(u64) +
         u64{unknown_words(postings.documents)} * sizeof(u32);
}

// A segment on the device.
struct HeldSegment {
  HeldSegment(const DocumentPostings& segment, u32 words_each)
      : postings(segment.postings),
        columns(upload(std::span(segment.postings.columns, column_words(segment.postings)))),
        one_bits(upload(std::span(segment.one_bits, u64{postings.documents} * words_each))),
        unknown(upload(std::span(segment.unknown, unknown_words(postings.documents)))),
        bytes(bytes_of(segment.postings, words_each)) {
    postings.columns = columns.get();
  }

  KeywordPostings postings;  // on the device
  DeviceArray<u32> columns;
  DeviceArray<u64> one_bits;
  DeviceArray<u32> unknown;
  u64 bytes;
};

// Queries and what they find, on both sides.
struct QueryBuffers {
  QueryBuffers(const DevicePostingLimits& limits, u32 words_each)
      : keywords(std::size_t{limits.queries} * kMostKeywords),
        one_bits(std::size_t{limits.queries} * words_each),
        counts(limits.queries),
        places(std::size_t{limits.queries} * limits.hits),
        device_keywords(keywords.size()),
        device_one_bits(one_bits.size()),
        device_counts(counts.size()),
        device_places(places.size()) {}

  static u64 bytes(const DevicePostingLimits& limits, u32 words_each) {
    return u64{limits.queries} * (kMostKeywords * sizeof(std::uint16_t) + words_each * sizeof(u64) +
                                  (1 + u64{limits.hits}) * sizeof(u32));
  }

  PinnedArray<std::uint16_t> keywords;
  PinnedArray<u64> one_bits;
  PinnedArray<u32> counts;
  PinnedArray<u32> places;
  DeviceArray<std::uint16_t> device_keywords;
  DeviceArray<u64> device_one_bits;
  DeviceArray<u32> device_counts;
  DeviceArray<u32> device_places;
};

// An eighth of the memory is for counters: with more of them more queries are counted at once.
u32 group_count(const DevicePostingLimits& limits) {
  const u64 each = u64{ByteCounters::words_of(limits.documents)} * sizeof(u32);
  return static_cast<u32>(std::clamp<u64>(limits.memory / 8 / each, 1, limits.most_groups));
}

// Words of all counters.
u64 counter_words(const DevicePostingLimits& limits) {
  return u64{group_count(limits)} * ByteCounters::words_of(limits.documents);
}

// What is left for segments.
u64 memory_for_segments(const DevicePostingLimits& limits, u32 words_each) {
  const u64 counters = counter_words(limits) * sizeof(u32);
  return left_of_memory(limits.memory, counters + QueryBuffers::bytes(limits, words_each));
}

class ResidentPostings : public DevicePostings {
 public:
  // The device must be the chosen one.
  ResidentPostings(int device, u32 words_each, const std::vector<KeywordProbe>& probes,
                   const DevicePostingLimits& limits)
      : device_(device),
        words_each_(words_each),
        limits_(limits),
        free_(memory_for_segments(limits, words_each)),
        probes_(upload(std::span(probes))),
        buffers_(limits, words_each),
        counters_(counter_words(limits)) {
    clear(stream_, counters_.get(), counters_.size() * sizeof(u32));
    // Lists are copied as far as the longest one goes.
    clear(stream_, buffers_.device_places.get(), buffers_.device_places.size() * sizeof(u32));
  }

  bool has_room(const KeywordPostings& postings) const override {
    return bytes_of(postings, words_each_) <= free_ && postings.documents <= limits_.documents;
  }

  void hold(Key key, const DocumentPostings& segment) override {
    on_device(device_, [&] {
      const auto held = segments_.try_emplace(key, segment, words_each_).first;
      free_ -= held->second.bytes;
    });
  }

  void drop(Key key) override {
    on_device(device_, [&] {
      const auto segment = segments_.find(key);
      free_ += segment->second.bytes;
      segments_.erase(segment);
    });
  }

  std::vector<std::optional<Places>> reach(Key key, const MatchQueries& queries) override {
    const HeldSegment& segment = segments_.at(key);
    std::vector<std::optional<Places>> reached(queries.count);
    on_device(device_, [&] {
      for (u32 from = 0; from < queries.count; from += limits_.queries) {
        const u32 count = std::min(limits_.queries, queries.count - from);
        begin(segment, queries, from, count);
        start(segment, queries, count);
        finish(std::span(reached).subspan(from, count));
      }
    });
    return reached;
  }

 private:
  void begin(const HeldSegment& segment, const MatchQueries& queries, u32 from, u32 count) {
    const u64 keywords = segment.postings.keywords;
    std::copy_n(queries.keywords + from * keywords, count * keywords, buffers_.keywords.get());
    std::copy_n(queries.one_bits + u64{from} * words_each_, u64{count} * words_each_,
                buffers_.one_bits.get());
    copy_in(stream_, buffers_.keywords.get(), buffers_.device_keywords.get(), count * keywords);
    copy_in(stream_, buffers_.one_bits.get(), buffers_.device_one_bits.get(),
            u64{count} * words_each_);
    clear(stream_, buffers_.device_counts.get(), count * sizeof(u32));
  }

  void start(const HeldSegment& segment, const MatchQueries& queries, u32 count) {
    const KeywordPostings& postings = segment.postings;
    start_match_count(
        stream_.get(),
        {postings,
         {{segment.one_bits.get(), postings.documents, words_each_}, segment.unknown.get()},
         buffers_.device_keywords.get(),
         {buffers_.device_one_bits.get(), count, words_each_},
         {probes_.get(), static_cast<u32>(probes_.size()), queries.gate, queries.limit},
         group_count(limits_),
         counters_.get(),
         {buffers_.device_places.get(), buffers_.device_counts.get(), count, limits_.hits}});
  }

  void finish(std::span<std::optional<Places>> reached) {
    const u32 count = static_cast<u32>(reached.size());
    const u32* const counts = buffers_.counts.get();
    copy_out(stream_, buffers_.device_counts.get(), buffers_.counts.get(), count);
    wait();
    const u32 most = std::min(*std::max_element(counts, counts + count), limits_.hits);
    copy_out(stream_, buffers_.device_places.get(), buffers_.places.get(), u64{most} * count);
    wait();
    const HitLists<u32> found{buffers_.places.get(), buffers_.counts.get(), count, limits_.hits};
    for (u32 query = 0; query < count; ++query) {
      if (counts[query] > limits_.hits) continue;
      Places& places = reached[query].emplace(counts[query]);
      for (u32 i = 0; i < counts[query]; ++i) places[i] = found.at(query, i);
      std::sort(places.begin(), places.end());
    }
  }

  void wait() {
    done_.record(stream_);
    done_.wait();
  }

  int device_;
  u32 words_each_;
  DevicePostingLimits limits_;
  u64 free_;  // bytes of memory
  Stream stream_;
  Event done_;
  DeviceArray<KeywordProbe> probes_;
  QueryBuffers buffers_;
  DeviceArray<u32> counters_;  // zeros between calls
  std::map<Key, HeldSegment> segments_;
};

}  // namespace

std::unique_ptr<DevicePostings> make_device_postings(std::uint32_t device, std::uint32_t words_each,
                                                     const std::vector<KeywordProbe>& probes,
                                                     const DevicePostingLimits& limits) {
  return on_device(static_cast<int>(device), [&] {
    return std::unique_ptr<DevicePostings>(
        std::make_unique<ResidentPostings>(static_cast<int>(device), words_each, probes, limits));
  });
}

}  // namespace neardup::cuda
