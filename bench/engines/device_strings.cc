#include "bench/engines/device_strings.h"

#include <algorithm>
#include <stdexcept>

#include "bench/runner.h"
#include "gpu/cuda/search/copies.h"
#include "gpu/cuda/search/kernels/search_kernels.h"

namespace neardup::bench {
namespace {

using cuda::DeviceArray;
using cuda::NearHit;
using cuda::PinnedArray;
using cuda::u32;
using cuda::u64;

constexpr u32 kQueriesAtOnce = 256;
constexpr u32 kHits = 1 << 16;  // of a query; 20 000 of 4 M strings have one of 25 keys nearly
constexpr u32 kGroups = kQueriesAtOnce;

std::vector<u32> positions_of(const BitKeywords& keywords) {
  std::vector<u32> all;
  for (u32 i = 0; i < keywords.functions(); ++i) {
    const std::span<const u32> own = keywords.positions(i);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

std::vector<cuda::Probe> probes_of(const std::vector<KeywordProbe>& probes) {
  std::vector<cuda::Probe> all;
  for (const KeywordProbe& probe : probes) all.push_back({probe.mask, probe.weight});
  return all;
}

class HashedOnDevice : public DeviceStrings {
 public:
  HashedOnDevice(const BitStrings& strings, const BitKeywords& keywords,
                 const std::vector<KeywordProbe>& probes)
      : words_(strings.words_each),
        probe_count_(static_cast<u32>(probes.size())),
        pinned_(u64{strings.count} * strings.words_each),
        strings_(pinned_.size()),
        positions_(cuda::upload(std::span<const u32>(positions_of(keywords)))),
        probes_(cuda::upload(std::span<const cuda::Probe>(probes_of(probes)))),
        hashing_{{positions_.get(), keywords.functions(), keywords.bits()},
                 {strings_.get(), strings.count, strings.words_each},
                 nullptr,
                 nullptr,
                 nullptr,
                 nullptr,
                 nullptr},
        starts_(u64{keywords.functions()} * (hashing_.how.keys() + 1)),
        places_(hashing_.first_pair(keywords.functions())),
        queries_(u64{kQueriesAtOnce} * words_),
        device_queries_(queries_.size()),
        counts_(kQueriesAtOnce),
        device_counts_(kQueriesAtOnce),
        hits_(u64{kQueriesAtOnce} * kHits),
        device_hits_(hits_.size()),
        scores_(u64{kGroups} * cuda::ByteCounters::words_of(strings.count)) {
    std::copy_n(strings.words, pinned_.size(), pinned_.get());
    hashing_.starts = starts_.get();
    hashing_.places = places_.get();
    cuda::clear(stream_, scores_.get(), scores_.size() * sizeof(u32));
    wait();
  }

  double hash() override {
    DeviceArray<u64> pairs(hashing_.first_pair(hashing_.how.functions));
    DeviceArray<u64> spare(pairs.size());
    DeviceArray<u32> digits(u64{hashing_.how.functions} * hashing_.tiles() * cuda::kDigits);
    hashing_.pairs = pairs.get();
    hashing_.spare = spare.get();
    hashing_.digits = digits.get();
    const double start = wall_seconds();
    cuda::copy_in(stream_, pinned_.get(), strings_.get(), pinned_.size());
    cuda::start_hashing(stream_.get(), hashing_);
    wait();
    return wall_seconds() - start;
  }

  std::vector<Shortlist> nearest(const BitStrings& queries, std::uint32_t gate,
                                 std::size_t most) override {
    std::vector<Shortlist> all(queries.count, Shortlist(most));
    for (u32 from = 0; from < queries.count; from += kQueriesAtOnce) {
      const u32 count = std::min(kQueriesAtOnce, queries.count - from);
      start(queries.words + u64{from} * words_, count, gate);
      offer(std::span(all).subspan(from, count));
    }
    return all;
  }

 private:
  void start(const u64* queries, u32 count, u32 gate) {
    std::copy_n(queries, u64{count} * words_, queries_.get());
    cuda::copy_in(stream_, queries_.get(), device_queries_.get(), u64{count} * words_);
    cuda::clear(stream_, device_counts_.get(), count * sizeof(u32));
    cuda::start_error_weighing(stream_.get(),
                               {hashing_.how,
                                hashing_.strings,
                                starts_.get(),
                                places_.get(),
                                probes_.get(),
                                probe_count_,
                                {device_queries_.get(), count, words_},
                                gate,
                                kGroups,
                                scores_.get(),
                                {device_hits_.get(), device_counts_.get(), count, kHits}});
  }

  void offer(std::span<Shortlist> lists) {
    const u32 count = static_cast<u32>(lists.size());
    cuda::copy_out(stream_, device_counts_.get(), counts_.get(), count);
    wait();
    const u32 most = *std::max_element(counts_.get(), counts_.get() + count);
    if (most > kHits) throw std::runtime_error("a query has more hits than there is room for");
    cuda::copy_out(stream_, device_hits_.get(), hits_.get(), u64{most} * count);
    wait();
    const cuda::HitLists<NearHit> found{hits_.get(), counts_.get(), count, kHits};
    for (u32 i = 0; i < most; ++i) {  // in the order of memory
      for (u32 query = 0; query < count; ++query) {
        if (i >= found.kept(query)) continue;
        const NearHit& hit = found.at(query, i);
        lists[query].offer(hit.distance, Seq{hit.row} + 1);
      }
    }
  }

  void wait() {
    done_.record(stream_);
    done_.wait();
  }

  u32 words_;
  u32 probe_count_;
  cuda::Stream stream_;
  cuda::Event done_;
  PinnedArray<u64> pinned_;
  DeviceArray<u64> strings_;
  DeviceArray<u32> positions_;
  DeviceArray<cuda::Probe> probes_;
  cuda::Hashing hashing_;
  DeviceArray<u32> starts_;
  DeviceArray<u32> places_;
  PinnedArray<u64> queries_;
  DeviceArray<u64> device_queries_;
  PinnedArray<u32> counts_;
  DeviceArray<u32> device_counts_;
  PinnedArray<NearHit> hits_;
  DeviceArray<NearHit> device_hits_;
  DeviceArray<u32> scores_;
};

}  // namespace

std::unique_ptr<DeviceStrings> make_device_strings(const BitStrings& strings,
                                                   const BitKeywords& keywords,
                                                   const std::vector<KeywordProbe>& probes) {
  return std::make_unique<HashedOnDevice>(strings, keywords, probes);
}

}  // namespace neardup::bench
