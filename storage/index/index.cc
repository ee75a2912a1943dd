#include "storage/index/index.h"

#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "storage/format.h"
#include "storage/generation/sst_files.h"
#include "storage/identity.h"
#include "storage/index/epoch.h"
#include "storage/index/filter_budget.h"
#include "storage/index/memtable_rows.h"
#include "storage/index/one_bit_files.h"
#include "storage/index/rebuild.h"
#include "storage/rocksdb/read.h"

namespace neardup {
namespace {

// Every state has its own: ids that collide in one do not in another.
std::uint64_t make_id_key(const RocksdbState& state) {
  std::string uuid;
  state.check(state.db().Get({}, state.family(Family::kMeta), rocksdb::Slice(kUuidKey), &uuid),
              "opening");
  return XXH3_64bits(uuid.data(), uuid.size());
}

}  // namespace

Index::Index(const RocksdbState& state, const MemoryPlan& memory, OpenMode mode)
    : state_(state), memory_(memory), id_key_(make_id_key(state)) {
  read_stored(mode);
  if (mode == OpenMode::kReadOnly) return;
  maintenance_ = std::make_unique<Maintenance>(state_, layout_, memory_.filters, memory_.lookup);
}

void Index::read_stored(OpenMode mode) {
  const StoredGenerations stored = read_generations(state_);
  const MutexLock lock(layout_.mutex);
  layout_.next_number = stored.next_number;
  layout_.like.epoch = stored.epoch;
  for (const Manifest& manifest : stored.current) {
    layout_.like.purpose = manifest.purpose;
    flushed_to_ = manifest.end;
    layout_.generations.push_back(std::make_unique<Generation>(manifest));
  }
  SeqSet gone;
  scan_rows(state_, Family::kEnded, 0, [&gone](Seq seq, std::string_view) {
    gone.insert(seq);
    return true;
  });
  layout_.gone = std::move(gone);
  if (mode == OpenMode::kReadOnly) return;
  for (const std::uint32_t number : stored.superseded) remove_generation(state_, number);
  take_saved_merge(stored.current);
  open_generations();
}

void Index::take_saved_merge(std::span<const Manifest> current) {
  layout_.saved_merge = take_merge_journal(state_, current);
  if (!layout_.saved_merge) return remove_unfinished_files(state_);
  const std::uint32_t number = layout_.saved_merge->result.generation;
  remove_unfinished_files(state_, index_file_name(number), layout_.saved_merge->file_bytes.size());
  layout_.next_number = std::max(layout_.next_number, number + 1);
}

void Index::open_generations() {
  read_filters(state_, layout_, memory_.filters);
  layout_.one_bits.set_budget(memory_.lookup - std::min(memory_.lookup, layout_.filter_bytes()));
  layout_.one_bits.set_keep(flushed_to_);
  read_one_bits(state_, layout_.one_bits);
}

void Index::set_make(const MakeIndexEntry& make) {
  make_ = make;
  if (complete_) return;
  // What was indexed without its bands was never flushed: it is read once more.
  const MutexLock lock(layout_.mutex);
  layout_.parked.clear();
  recent_ = std::make_unique<Recent>();
  prepared_ = false;
  complete_ = true;
}

void Index::prepare() {
  rethrow();
  if (prepared_) return;
  prepared_ = true;
  read_entries(state_, flushed_to_, make_, id_key_, [this](std::span<const RecentEntry> entries) {
    complete_ = static_cast<bool>(make_);
    take(entries);
  });
  publish_recent();
}

void Index::expire(Seq before) {
  const MutexLock lock(layout_.mutex);
  layout_.expired_before = std::max(layout_.expired_before, before);
}

void Index::add(const WriteSet& writes) {
  expire(writes.expired_before);
  {
    const MutexLock lock(layout_.mutex);
    for (const Seq seq : writes.erase_documents) layout_.gone.insert(seq);
    for (const auto& [key, row] : writes.erase_ids) layout_.gone.insert(row.seq);
  }
  take(entries_of(writes, id_key_));
  publish_recent();
}

// The recent part itself is for the thread that looks up only.
void Index::publish_recent() {
  const MutexLock lock(layout_.mutex);
  layout_.recent_postings = recent_->postings();
  layout_.recent_bytes = recent_->memory_bytes();
}

void Index::take(std::span<const RecentEntry> entries) {
  while (!entries.empty()) {
    const auto fitting = recent_->fitting(entries);
    recent_->add(fitting);
    put_one_bits(fitting);
    entries = entries.subspan(fitting.size());
    if (!entries.empty() || is_full(*recent_, memory_)) freeze();
  }
}

void Index::put_one_bits(std::span<const RecentEntry> entries) {
  const MutexLock lock(layout_.mutex);
  for (const RecentEntry& entry : entries) {
    if (entry.index == nullptr || entry.index->one_bit.empty()) continue;
    layout_.one_bits.put(entry.seq, entry.index->one_bit);
  }
}

std::unique_ptr<const Recent> Index::take_recent() {
  layout_.recent_postings = layout_.recent_bytes = 0;
  return std::exchange(recent_, std::make_unique<Recent>());
}

// Hands the recent part over to be flushed, if it may be.
void Index::freeze() {
  if (recent_->empty()) return;
  MutexLock lock(layout_.mutex);
  if (maintenance_ == nullptr || !complete_) {
    layout_.parked.push_back(take_recent());
    return;
  }
  layout_.waits_since = std::chrono::steady_clock::now();
  while (!layout_.failure && (layout_.frozen || layout_.too_many_unmerged())) {
    layout_.changed.wait(lock);
  }
  layout_.wait_seconds += layout_.waiting_seconds();
  layout_.waits_since.reset();
  if (layout_.failure) std::rethrow_exception(layout_.failure);
  layout_.frozen = take_recent();
  layout_.changed.notify_all();
}

void Index::rethrow() {
  const MutexLock lock(layout_.mutex);
  if (layout_.failure) std::rethrow_exception(layout_.failure);
}

// Without the mutex: this is the thread that changes them.
const std::uint64_t* Index::one_bit(Seq seq) NO_THREAD_SAFETY_ANALYSIS {
  return layout_.one_bits.get(seq);
}

std::uint64_t Index::postings() {
  prepare();
  const MutexLock lock(layout_.mutex);
  std::uint64_t sum = recent_->postings() + (layout_.frozen ? layout_.frozen->postings() : 0);
  for (const auto& parked : layout_.parked) sum += parked->postings();
  for (const auto& generation : layout_.generations) sum += generation->postings();
  return sum;
}

std::uint64_t Index::memory_bytes() {
  const MutexLock lock(layout_.mutex);
  return layout_.filter_bytes() + layout_.one_bits.memory_bytes();
}

IndexReadings Index::readings() {
  const MutexLock lock(layout_.mutex);
  IndexReadings readings;
  readings.postings = layout_.recent_postings;
  readings.recent_bytes = layout_.recent_bytes;
  const auto add = [&](const Recent& part) {
    readings.postings += part.postings();
    readings.recent_bytes += part.memory_bytes();
  };
  if (layout_.frozen) add(*layout_.frozen);
  for (const auto& parked : layout_.parked) add(*parked);
  for (const auto& generation : layout_.generations) readings.postings += generation->postings();
  readings.generations = layout_.generations.size();
  readings.filter_bytes = layout_.filter_bytes();
  readings.one_bit_bytes = layout_.one_bits.memory_bytes();
  readings.flushes = layout_.flushes;
  readings.merges = layout_.merges;
  readings.waiting_seconds = layout_.waiting_seconds();
  readings.wait_seconds = layout_.wait_seconds + readings.waiting_seconds;
  readings.merge_done = layout_.merge_done;
  return readings;
}

CommitWait Index::commit_wait() {
  const MutexLock lock(layout_.mutex);
  if (!layout_.waits_since) return {};
  return {layout_.waiting_seconds(), layout_.progress};
}

void Index::rebuild(const MakeIndexEntry& make, std::uint64_t purpose,
                    const std::function<void(Seq)>& progress, rocksdb::WriteBatch& batch) {
  maintenance_.reset();         // it would give its merges the numbers of the new generations
  erase_merge_journal(state_);  // so would a merge that was saved
  remove_unfinished_files(state_);
  const Rebuild rebuild{purpose, make, id_key_, flushed_to_, progress};
  put_epoch(state_, build_next_epoch(state_, memory_, rebuild), batch);
}

void Index::merge_all() {
  prepare();
  remove_next_epoch(state_);
  if (complete_) freeze();
  MutexLock lock(layout_.mutex);
  while (layout_.frozen && !layout_.failure) layout_.changed.wait(lock);
  layout_.merge_all = true;
  layout_.merged_to = 0;
  layout_.changed.notify_all();
  while (layout_.merge_all && !layout_.failure) layout_.changed.wait(lock);
  if (layout_.failure) std::rethrow_exception(layout_.failure);
}

}  // namespace neardup
