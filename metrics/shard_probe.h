// The events of a shard.
#pragma once

#include <cstdint>

namespace neardup {

// Decided batches that are in its state.
struct AppliedReport {
  std::uint64_t batches = 0;
  std::uint64_t records = 0;  // those of other shards among them
  std::uint64_t again = 0;    // batches that make shards resend answers
  double apply_seconds = 0;
  double commit_seconds = 0;
};

struct AnsweredReport {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;  // of the message
  double seconds = 0;       // of looking up, and of encoding
};

class ShardProbe {
 public:
  virtual ~ShardProbe() = default;
  virtual void decisions_applied(const AppliedReport& report) = 0;
  virtual void chunk_answered(const AnsweredReport& report) = 0;
  // Answers were refused or not acknowledged in time.
  virtual void answering_failed() = 0;
};

}  // namespace neardup
