// How long decisions have waited for each shard: the one that sets the pace stands out.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>

#include "metrics/registry.h"
#include "service/cluster/placement.h"

namespace neardup {

// One thread adds, any thread reads.
class ShardWaits {
 public:
  // A record waited so long for a usable answer of each of these shards.
  void add(std::span<const std::uint32_t> shards, std::chrono::nanoseconds time) {
    for (const std::uint32_t shard : shards) waits_[shard] += time.count();
  }

  // Of the shards that were waited for.
  void collect(Samples& samples) const {
    for (std::size_t shard = 0; shard < waits_.size(); ++shard) {
      const std::chrono::duration<double> time = std::chrono::nanoseconds(waits_[shard]);
      if (time.count() == 0) continue;
      samples.set(Metric::kWaitedForShard, time.count(), {std::to_string(shard)});
    }
  }

 private:
  std::array<std::atomic<std::int64_t>, kMostShards> waits_{};
};

}  // namespace neardup
