#include "bench/pairs/cuda_pair_counter.h"

#include <algorithm>
#include <cstring>

#include "bench/pairs/start_pairs.h"
#include "gpu/cuda/resources.h"

namespace neardup::cuda {
namespace {

class StreamPairCounter : public CudaPairCounter {
 public:
  StreamPairCounter(std::uint32_t device, const SketchShape& shape, const PairLimits& limits)
      : device_(chosen(device)),
        shape_(shape),
        limits_(limits),
        rows_(std::size_t{limits.rows} * shape.sketch_words()),
        lists_(std::size_t{limits.rows} + 1 + limits.pairs),
        counts_(limits.pairs),
        device_rows_(rows_.size()),
        device_lists_(lists_.size()),
        device_counts_(counts_.size()) {}

  void equal_bits(const PairLists& lists, std::span<std::uint32_t> counts) override {
    const std::uint32_t words = shape_.one_bit_words();
    count(lists, words, 1, words * 64 - shape_.slots, counts);
  }
  void equal_values(const PairLists& lists, std::span<std::uint32_t> counts) override {
    const std::uint32_t words = shape_.sketch_words();
    count(lists, words, shape_.bits, words * (64 / shape_.bits) - shape_.slots, counts);
  }
  BackendTimes times() const override { return times_; }

 private:
  static int chosen(std::uint32_t device) {
    check(cudaSetDevice(static_cast<int>(device)), "choosing the device");
    return static_cast<int>(device);
  }

  void require_room(const PairLists& lists, std::uint32_t words) const {
    const std::size_t rows = (lists.queries.size() + lists.rows.size()) / words;
    if (rows > limits_.rows || lists.candidates.size() > limits_.pairs) {
      throw DeviceFailure("more pairs than the device has memory for");
    }
  }

  void count(const PairLists& lists, std::uint32_t words, std::uint32_t bits,
             std::uint32_t unused_fields, std::span<std::uint32_t> counts) {
    require_room(lists, words);
    if (lists.candidates.empty()) return;
    try {
      chosen(static_cast<std::uint32_t>(device_));
      begin_.record(stream_);
      copy_in(lists);
      copied_in_.record(stream_);
      start_pairs(stream_.get(), pairs_of(lists, words, bits, unused_fields));
      computed_.record(stream_);
      check(cudaMemcpyAsync(counts_.get(), device_counts_.get(), counts.size_bytes(),
                            cudaMemcpyDeviceToHost, stream_.get()),
            "copying from the device");
      end_.record(stream_);
      end_.wait();
    } catch (const CudaFailure& failure) {
      throw DeviceFailure(failure.what());
    }
    std::copy_n(counts_.get(), counts.size(), counts.begin());
    times_ += {1, copied_in_.seconds_since(begin_), computed_.seconds_since(copied_in_),
               end_.seconds_since(computed_)};
  }

  // Two arrays: queries, then rows; starts of lists, then candidates.
  void copy_in(const PairLists& lists) {
    std::copy(lists.queries.begin(), lists.queries.end(), rows_.get());
    std::copy(lists.rows.begin(), lists.rows.end(), rows_.get() + lists.queries.size());
    std::copy(lists.first.begin(), lists.first.end(), lists_.get());
    std::copy(lists.candidates.begin(), lists.candidates.end(), lists_.get() + lists.first.size());
    copy(rows_.get(), device_rows_.get(), lists.queries.size() + lists.rows.size());
    copy(lists_.get(), device_lists_.get(), lists.first.size() + lists.candidates.size());
  }
  template <class T>
  void copy(const T* from, T* to, std::size_t size) {
    check(cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyHostToDevice, stream_.get()),
          "copying to the device");
  }

  Pairs pairs_of(const PairLists& lists, std::uint32_t words, std::uint32_t bits,
                 std::uint32_t unused_fields) const {
    return {device_rows_.get(),
            device_rows_.get() + lists.queries.size(),
            device_lists_.get(),
            device_lists_.get() + lists.first.size(),
            device_counts_.get(),
            static_cast<u32>(lists.first.size() - 1),
            static_cast<u32>(lists.candidates.size()),
            words,
            bits,
            unused_fields};
  }

  int device_;
  SketchShape shape_;
  PairLimits limits_;
  Stream stream_;
  Event begin_;
  Event copied_in_;
  Event computed_;
  Event end_;
  PinnedArray<u64> rows_;
  PinnedArray<u32> lists_;
  PinnedArray<u32> counts_;
  DeviceArray<u64> device_rows_;
  DeviceArray<u32> device_lists_;
  DeviceArray<u32> device_counts_;
  BackendTimes times_;
};

}  // namespace

std::unique_ptr<CudaPairCounter> make_cuda_pair_counter(std::uint32_t device,
                                                        const SketchShape& shape,
                                                        const PairLimits& limits) {
  try {
    return std::make_unique<StreamPairCounter>(device, shape, limits);
  } catch (const CudaFailure& failure) {
    throw DeviceFailure(failure.what());
  }
}

}  // namespace neardup::cuda
