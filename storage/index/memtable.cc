#include "storage/index/memtable.h"

#include <algorithm>

#include "storage/prefetch.h"

namespace neardup {
namespace {

// Inserts hash(i) → offset(i) for all i < n with wanted(i).
template <class Hash, class Offset, class Wanted>
void insert_all(PostingTable& table, std::size_t n, Hash hash, Offset offset, Wanted wanted) {
  for (std::size_t i = 0; i < n; ++i) {
    if (i + kAhead < n && wanted(i + kAhead)) prefetch(table.address(hash(i + kAhead)));
    if (wanted(i)) table.insert(hash(i), offset(i));
  }
}

}  // namespace

void Memtable::add(std::span<const MemtableEntry> entries) {
  begin(entries);
  for (std::size_t column = 0; column < tables_.size(); ++column) add(column, entries);
}

void Memtable::begin(std::span<const MemtableEntry> entries) {
  if (entries.empty()) return;
  if (empty()) first_ = entries.front().seq;
  end_ = entries.back().seq + 1;
  std::size_t bands = 0;
  for (const MemtableEntry& entry : entries) {
    if (entry.index != nullptr) bands = std::max(bands, entry.index->buckets.size());
  }
  tables_.resize(std::max(tables_.size(), kFirstBandColumn + bands));
}

void Memtable::add(std::size_t column, std::span<const MemtableEntry> entries) {
  PostingTable& table = tables_[column];
  const auto offset = [&](std::size_t i) {
    return static_cast<std::uint32_t>(entries[i].seq - first_);
  };
  const auto add = [&](auto hash, auto wanted) {
    insert_all(table, entries.size(), hash, offset, wanted);
  };
  if (column == kIdColumn) {
    add([&](std::size_t i) { return entries[i].id; }, [](std::size_t) { return true; });
  } else if (column == kContentColumn) {
    add([&](std::size_t i) { return *entries[i].content; },
        [&](std::size_t i) { return entries[i].content.has_value(); });
  } else {
    const std::size_t m = column - kFirstBandColumn;
    add(
        [&](std::size_t i) {
          return hash_of(Bucket{static_cast<std::uint16_t>(m), entries[i].index->buckets[m]});
        },
        [&](std::size_t i) {
          return entries[i].index != nullptr && m < entries[i].index->buckets.size();
        });
  }
}

std::span<const MemtableEntry> Memtable::fitting(std::span<const MemtableEntry> entries) const {
  if (entries.empty()) return entries;
  const Seq first = empty() ? entries.front().seq : first_;
  const auto end = std::partition_point(
      entries.begin(), entries.end(),
      [first](const MemtableEntry& entry) { return entry.seq - first < kMostOffsets; });
  return entries.first(static_cast<std::size_t>(end - entries.begin()));
}

void Memtable::forget(const Probe& probe, const SeqSet& deleted) {
  tables_[probe.column].forget(
      probe.hash, [&](std::uint32_t offset) { return deleted.contains(first_ + offset); });
}

std::size_t Memtable::postings() const {
  std::size_t sum = 0;
  for (const PostingTable& table : tables_) sum += table.size();
  return sum;
}

std::uint64_t Memtable::memory_bytes() const {
  std::uint64_t sum = 0;
  for (const PostingTable& table : tables_) sum += table.memory_bytes();
  return sum;
}

}  // namespace neardup
