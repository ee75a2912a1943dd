#include "bench/engines/device_match.h"

#include <algorithm>

#include "gpu/cuda/search/copies.h"
#include "gpu/cuda/search/kernels/search_kernels.h"

namespace neardup::bench {
namespace {

using cuda::DenseHit;
using cuda::DenseSegment;
using cuda::DeviceArray;
using cuda::PinnedArray;

// The postings of a segment, on the host.
struct Lists {
  std::vector<std::uint32_t> starts;
  std::vector<std::uint16_t> places;
};

// `rows`: `functions` values of each object. Sorted by counting, a function at a time.
Lists lists_of(const std::vector<std::uint32_t>& rows, std::uint32_t functions,
               std::uint32_t domain) {
  const auto objects = static_cast<std::uint32_t>(rows.size() / functions);
  Lists lists;
  lists.places.resize(rows.size());
  std::vector<std::uint32_t> next(domain + 1);
  for (std::uint32_t f = 0; f < functions; ++f) {
    std::ranges::fill(next, 0);
    for (std::uint32_t i = 0; i < objects; ++i) ++next[rows[i * functions + f] + 1];
    next[0] = f * objects;
    for (std::uint32_t v = 0; v < domain; ++v) next[v + 1] += next[v];
    lists.starts.insert(lists.starts.end(), next.begin(), next.end());
    for (std::uint32_t i = 0; i < objects; ++i) {
      lists.places[next[rows[i * functions + f]]++] = static_cast<std::uint16_t>(i);
    }
  }
  return lists;
}

class SegmentsOnDevice : public DeviceMatch {
 public:
  SegmentsOnDevice(std::uint32_t objects, std::uint32_t functions, std::uint32_t domain,
                   const std::function<void(std::uint32_t, std::uint32_t*)>& values)
      : functions_(functions), domain_(domain) {
    std::vector<DenseSegment> segments;
    for (std::uint32_t first = 0; first < objects; first += cuda::kDenseObjects) {
      const std::uint32_t count = std::min(cuda::kDenseObjects, objects - first);
      std::vector<std::uint32_t> rows(std::size_t{count} * functions);
      for (std::uint32_t i = 0; i < count; ++i) values(first + i, &rows[i * functions]);
      const Lists lists = lists_of(rows, functions, domain);
      starts_.push_back(cuda::upload(std::span(lists.starts)));
      places_.push_back(cuda::upload(std::span(lists.places)));
      segments.push_back({starts_.back().get(), places_.back().get(), first, count});
      bytes_ += lists.starts.size() * 4 + lists.places.size() * 2;
    }
    segment_count_ = static_cast<std::uint32_t>(segments.size());
    segments_.push_back(cuda::upload(std::span<const DenseSegment>(segments)));
    most_objects_ = std::min(objects, cuda::kDenseObjects);
    cuda::prepare_dense_match(most_objects_);
  }

  std::vector<std::vector<MatchedObject>> best(std::span<const std::uint32_t> queries,
                                               std::uint32_t most) override {
    const auto count = static_cast<std::uint32_t>(queries.size() / functions_);
    const std::size_t hits = std::size_t{segment_count_} * count * most;
    reserve(queries.size(), hits);
    std::ranges::copy(queries, keywords_.front().get());
    cuda::copy_in(stream_, keywords_.front().get(), device_keywords_.front().get(), queries.size());
    cuda::start_dense_match(stream_.get(), {segments_.front().get(), segment_count_, most_objects_,
                                            device_keywords_.front().get(), count, functions_,
                                            domain_, most, device_hits_.front().get()});
    cuda::copy_out(stream_, device_hits_.front().get(), hits_.front().get(), hits);
    done_.record(stream_);
    done_.wait();
    std::vector<std::vector<MatchedObject>> best;
    for (std::uint32_t query = 0; query < count; ++query)
      best.push_back(merged(query, count, most));
    return best;
  }

  std::uint64_t bytes() const override { return bytes_; }

 private:
  // Memory for the queries and hits of a call; what is there is kept if it is large enough.
  void reserve(std::size_t keywords, std::size_t hits) {
    const auto fit = [](auto& arrays, std::size_t size) {
      if (!arrays.empty() && arrays.front().size() >= size) return;
      arrays.clear();
      arrays.emplace_back(size);
    };
    fit(keywords_, keywords);
    fit(device_keywords_, keywords);
    fit(hits_, hits);
    fit(device_hits_, hits);
  }

  // The best of all segments.
  std::vector<MatchedObject> merged(std::uint32_t query, std::uint32_t count,
                                    std::uint32_t most) const {
    std::vector<MatchedObject> all;
    for (std::uint32_t segment = 0; segment < segment_count_; ++segment) {
      const DenseHit* hits = hits_.front().get() + (std::size_t{segment} * count + query) * most;
      for (std::uint32_t i = 0; i < most && hits[i].count != 0; ++i) {
        all.push_back({hits[i].count, hits[i].object});
      }
    }
    std::sort(all.begin(), all.end());
    if (all.size() > most) all.resize(most);
    return all;
  }

  std::uint32_t functions_;
  std::uint32_t domain_;
  std::uint32_t segment_count_ = 0;
  std::uint32_t most_objects_ = 0;
  std::uint64_t bytes_ = 0;
  cuda::Stream stream_;
  cuda::Event done_;
  std::vector<DeviceArray<std::uint32_t>> starts_;  // of each segment
  std::vector<DeviceArray<std::uint16_t>> places_;
  // Of one array each.
  std::vector<DeviceArray<DenseSegment>> segments_;
  std::vector<PinnedArray<std::uint32_t>> keywords_;
  std::vector<DeviceArray<std::uint32_t>> device_keywords_;
  std::vector<PinnedArray<DenseHit>> hits_;
  std::vector<DeviceArray<DenseHit>> device_hits_;
};

}  // namespace

std::unique_ptr<DeviceMatch> make_device_match(
    std::uint32_t objects, std::uint32_t functions, std::uint32_t domain,
    const std::function<void(std::uint32_t object, std::uint32_t* out)>& values) {
  return std::make_unique<SegmentsOnDevice>(objects, functions, domain, values);
}

}  // namespace neardup::bench
