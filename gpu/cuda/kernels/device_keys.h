// The keys of a plan in memory of the device.
#pragma once

#include "gpu/cuda/parameters.h"
#include "gpu/cuda/resources.h"

namespace neardup::cuda {

class DeviceKeys {
 public:
  DeviceKeys(const SketchPlan& plan, const SketchKeys& keys)
      : rounds_(upload(std::span(keys.rounds))),
        two_universal_(upload(std::span(keys.two_universal))),
        four_universal_(upload(std::span(keys.four_universal))),
        multiply_shift_(upload(std::span(keys.multiply_shift))),
        permutations_(upload(std::span(keys.permutations))),
        bands_(upload(std::span(keys.bands))),
        parameters_(parameters_of(plan, keys)) {
    parameters_.round_keys = rounds_.get();
    parameters_.two_universal = two_universal_.get();
    parameters_.four_universal = four_universal_.get();
    parameters_.multiply_shift = multiply_shift_.get();
    parameters_.permutations = permutations_.get();
    parameters_.band_keys = bands_.get();
  }

  // Valid as long as this lives.
  const Parameters& parameters() const { return parameters_; }

 private:
  DeviceArray<u64> rounds_;
  DeviceArray<hd::TwoUniversal> two_universal_;
  DeviceArray<hd::FourUniversal> four_universal_;
  DeviceArray<hd::MultiplyShift> multiply_shift_;
  DeviceArray<u32> permutations_;
  DeviceArray<u64> bands_;
  Parameters parameters_;
};

}  // namespace neardup::cuda
