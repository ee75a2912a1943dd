// The rest of an input: its records from a line on.
#pragma once

#include <atomic>
#include <cstdint>

#include "pipeline/ports.h"

namespace neardup {

class LaterLines : public Source {
 public:
  // `first`: the first line that is wanted; 0 and 1 are all of them. `source` has one input, and
  // must outlive this.
  LaterLines(Source& source, std::uint64_t first) : source_(source), first_(first) {}

  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override;
  // None.
  std::vector<std::pair<std::string, std::string>> positions() override { return {}; }
  void interrupt() override { interrupted_ = true; }

  // Records before that line, so far. Any thread.
  std::uint64_t skipped() const { return skipped_; }

 private:
  Source& source_;
  const std::uint64_t first_;
  std::atomic<bool> interrupted_{false};
  std::atomic<std::uint64_t> skipped_{0};
};

}  // namespace neardup
