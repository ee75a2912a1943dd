// The flags of the latest batches, kept in memory for those who ask or watch.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/base/mutex.h"
#include "pipeline/model/flag.h"

namespace neardup {

// Flags in the order of seq, as lines of FlagWriter.
struct FlagBlock {
  struct Entry {
    Seq seq = 0;
    Status status = Status::kUnique;
    std::uint32_t end = 0;  // of its line in `lines`
  };
  std::vector<Entry> entries;  // never empty in a list
  std::string lines;

  // With its line end.
  std::string_view line(std::size_t entry) const;
};

// The oldest first.
using FlagBlocks = std::vector<std::shared_ptr<const FlagBlock>>;

// Collects the flags of one batch, in blocks of some 64 KiB.
class FlagBlockWriter {
 public:
  // Requires: seqs increase.
  void add(const Flag& flag, std::string_view line);
  FlagBlocks take();

 private:
  FlagBlocks full_;
  FlagBlock block_;
};

// Every call may come from any thread.
class RecentFlags {
 public:
  // Forgets the oldest flags when all take more than `most_bytes`.
  explicit RecentFlags(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  // Requires: the flags are committed, and follow all published ones in seq.
  void publish(FlagBlocks blocks);

  // The first and the last seq; nothing while there are no flags.
  struct Range {
    Seq oldest = 0;
    Seq newest = 0;
  };
  std::optional<Range> range() const;

  // The blocks with flags behind `after`. The first of them can have earlier ones, too.
  FlagBlocks behind(Seq after) const;
  // The same for a streaming reader. If there are none, the next `publish` calls `more`, which must
  // not wait, once; unless the reader asks again or is forgotten before. After `forget` returns, it
  // is not called.
  FlagBlocks behind(Seq after, const void* reader, std::function<void()> more);
  void forget(const void* reader);

 private:
  FlagBlocks find(Seq after) const REQUIRES(mutex_);

  const std::uint64_t most_bytes_;
  mutable Mutex mutex_;
  std::deque<std::shared_ptr<const FlagBlock>> blocks_ GUARDED_BY(mutex_);
  std::uint64_t bytes_ GUARDED_BY(mutex_) = 0;
  std::map<const void*, std::function<void()>> waiting_ GUARDED_BY(mutex_);
};

}  // namespace neardup
