#include "service/records/recent_flags.h"

#include <algorithm>
#include <utility>

namespace neardup {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 10;

std::uint64_t bytes_of(const FlagBlock& block) {
  return block.lines.size() + block.entries.size() * sizeof(FlagBlock::Entry);
}

}  // namespace

std::string_view FlagBlock::line(std::size_t entry) const {
  const std::size_t begin = entry == 0 ? 0 : entries[entry - 1].end;
  return std::string_view(lines).substr(begin, entries[entry].end - begin);
}

void FlagBlockWriter::add(const Flag& flag, std::string_view line) {
  block_.lines.append(line);
  block_.entries.push_back(
      {flag.seq, flag.status, static_cast<std::uint32_t>(block_.lines.size())});
  if (block_.lines.size() < kBlockBytes) return;
  full_.push_back(std::make_shared<const FlagBlock>(std::exchange(block_, {})));
}

FlagBlocks FlagBlockWriter::take() {
  if (!block_.entries.empty())
    full_.push_back(std::make_shared<const FlagBlock>(std::exchange(block_, {})));
  return std::exchange(full_, {});
}

void RecentFlags::publish(FlagBlocks blocks) {
  if (blocks.empty()) return;
  const MutexLock lock(mutex_);
  for (auto& block : blocks) {
    bytes_ += bytes_of(*block);
    blocks_.push_back(std::move(block));
  }
  while (bytes_ > most_bytes_) {
    bytes_ -= bytes_of(*blocks_.front());
    blocks_.pop_front();
  }
  for (const auto& [reader, more] : std::exchange(waiting_, {})) more();
}

std::optional<RecentFlags::Range> RecentFlags::range() const {
  const MutexLock lock(mutex_);
  if (blocks_.empty()) return {};
  return Range{blocks_.front()->entries.front().seq, blocks_.back()->entries.back().seq};
}

FlagBlocks RecentFlags::find(Seq after) const {
  const auto first = std::ranges::upper_bound(
      blocks_, after, {}, [](const auto& block) { return block->entries.back().seq; });
  return {first, blocks_.end()};
}

FlagBlocks RecentFlags::behind(Seq after) const {
  const MutexLock lock(mutex_);
  return find(after);
}

FlagBlocks RecentFlags::behind(Seq after, const void* reader, std::function<void()> more) {
  const MutexLock lock(mutex_);
  FlagBlocks found = find(after);
  if (found.empty()) waiting_[reader] = std::move(more);
  return found;
}

void RecentFlags::forget(const void* reader) {
  const MutexLock lock(mutex_);
  waiting_.erase(reader);
}

}  // namespace neardup
