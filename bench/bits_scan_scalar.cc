#include "bench/bits_scan_impl.h"

namespace neardup::bench {

std::span<const ScanMethod> scalar_scans() {
  static constexpr ScanMethod kMethods[] = {
      {"naive", "scalar", scan<OneByOne<Naive>>},
      {"divide_and_conquer", "scalar", scan<OneByOne<DivideAndConquer>>},
      {"word_parallel", "scalar", scan<WordParallel>},
      {"packed", "scalar", scan<Packed>, true},
      {"popcnt", "scalar", scan<OneByOne<Popcnt>>},
  };
  return kMethods;
}

}  // namespace neardup::bench
