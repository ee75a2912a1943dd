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
#include "storage/index/index_view.h"
#include "storage/index/memtable_rows.h"
#include "storage/index/one_bit/one_bit_files.h"
#include "storage/index/rebuild.h"
#include "storage/rocksdb/read.h"

namespace neardup {
namespace {

constexpr std::size_t kWorthSharing = 256;  // entries that several threads add

// The hash key of ids. Each state has its own: ids that collide in one state do not in another.
std::uint64_t make_id_key(const RocksdbState& state) {
  std::string uuid;
  state.check(state.db().Get({}, state.family(Family::kMeta), rocksdb::Slice(kUuidKey), &uuid),
              "opening");
  return XXH3_64bits(uuid.data(), uuid.size());
}

}  // namespace

Index::Index(const RocksdbState& state, const MemoryPlan& memory, unsigned threads, OpenMode mode)
    : state_(state), memory_(memory), id_key_(make_id_key(state)), team_(threads) {
  read_stored(mode);
  if (mode == OpenMode::kReadOnly) return;
  compactor_ = std::make_unique<Compactor>(state_, shared_, memory_.filters, memory_.lookup);
}

void Index::read_stored(OpenMode mode) {
  const StoredGenerations stored = read_generations(state_);
  const WriterLock lock(shared_.mutex);
  shared_.next_number = stored.next_number;
  shared_.like.epoch = stored.epoch;
  for (const Manifest& manifest : stored.current) {
    shared_.like.purpose = manifest.purpose;
    flushed_to_ = manifest.end;
    shared_.generations.push_back(std::make_unique<Generation>(manifest));
  }
  shared_.commit.end = end_ = flushed_to_;
  SeqSet deleted;
  scan_rows(state_, Family::kEnded, 0, [&deleted](Seq seq, std::string_view) {
    deleted.insert(seq);
    return true;
  });
  shared_.deleted = std::move(deleted);
  if (mode == OpenMode::kReadOnly) {
    shared_.commit.one_bits.set_incomplete();  // until `set_make`
    return;
  }
  for (const std::uint32_t number : stored.superseded) remove_generation(state_, number);
  take_saved_merge(stored.current);
  open_generations();
}

void Index::take_saved_merge(std::span<const Manifest> current) {
  shared_.saved_merge = take_merge_journal(state_, current);
  if (!shared_.saved_merge) return remove_unfinished_files(state_);
  const std::uint32_t number = shared_.saved_merge->result.generation;
  remove_unfinished_files(state_, index_file_name(number), shared_.saved_merge->file_bytes.size());
  shared_.next_number = std::max(shared_.next_number, number + 1);
}

void Index::open_generations() {
  read_filters(state_, shared_, memory_.filters);
  open_one_bits();
}

void Index::open_one_bits() {
  OneBits& bits = shared_.commit.one_bits;
  bits = {};
  bits.set_budget(memory_.lookup - std::min(memory_.lookup, shared_.filter_bytes()));
  bits.set_keep(flushed_to_);
  read_one_bits(state_, flushed_to_, shared_.deleted, bits);
}

void Index::set_make(const MakeIndexEntry& make) {
  make_ = make;
  const WriterLock lock(shared_.mutex);
  if (!compactor_) open_one_bits();
  if (complete_) return;
  // Rows that were indexed without bands were not flushed: `prepare` indexes them again.
  shared_.parked.clear();
  memtable_ = std::make_unique<Memtable>();
  prepared_ = false;
  complete_ = true;
}

void Index::prepare() {
  rethrow();
  if (prepared_) return;
  const MutexLock preparing(prepare_mutex_);
  if (prepared_) return;
  read_entries(state_, flushed_to_, make_, id_key_, [this](std::span<const MemtableEntry> entries) {
    complete_ = static_cast<bool>(make_);
    take(entries);
  });
  const WriterLock lock(shared_.mutex);
  publish_recent();
  prepared_ = true;
}

void Index::expire(Seq before) {
  const WriterLock lock(shared_.mutex);
  shared_.expired_before = std::max(shared_.expired_before, before);
}

void Index::add(const WriteSet& writes, const std::function<void()>& await_rows) {
  take(entries_of(writes, id_key_), await_rows);
}

void Index::publish(const WriteSet& writes) {
  const WriterLock lock(shared_.mutex);
  for (const Seq seq : writes.erase_documents) {
    shared_.deleted.insert(seq);
    shared_.commit.one_bits.erase(seq);
  }
  for (const auto& [key, row] : writes.erase_ids) shared_.deleted.insert(row.seq);
  shared_.expired_before = std::max(shared_.expired_before, writes.expired_before);
  publish_recent();
}

// Publishes what only the deciding thread may read, as of this commit.
void Index::publish_recent() {
  shared_.commit.end = end_;
  shared_.commit.memtable_postings = memtable_->postings();
  shared_.commit.memtable_bytes = memtable_->memory_bytes();
}

void Index::take(std::span<const MemtableEntry> entries, const std::function<void()>& await_rows) {
  if (!entries.empty()) end_ = entries.back().seq + 1;
  while (!entries.empty()) {
    const auto fitting = memtable_->fitting(entries);
    put(fitting);
    entries = entries.subspan(fitting.size());
    if (entries.empty() && !is_full(*memtable_, memory_)) return;
    if (await_rows) await_rows();
    switch_memtable();
  }
}

void Index::put(std::span<const MemtableEntry> entries) {
  const WriterLock lock(shared_.mutex);
  memtable_->begin(entries);
  OneBits* const one_bits = &shared_.commit.one_bits;  // one thread puts them, under this mutex
  const std::size_t columns = memtable_->tables().size();
  const auto add = [&](std::size_t column) {
    if (column < columns) return memtable_->add(column, entries);
    for (const MemtableEntry& entry : entries) {
      if (entry.has_sketch()) one_bits->put(entry.seq, entry.tag, entry.index->one_bit);
    }
  };
  if (entries.size() >= kWorthSharing) return team_.share_out(columns + 1, add);
  for (std::size_t column = 0; column <= columns; ++column) add(column);
}

std::unique_ptr<const Memtable> Index::take_memtable() {
  shared_.commit.memtable_postings = shared_.commit.memtable_bytes = 0;
  return std::exchange(memtable_, std::make_unique<Memtable>());
}

// Hands the memtable to the compactor, or parks it if it must not be flushed.
void Index::switch_memtable() {
  if (memtable_->empty()) return;
  WriterLock lock(shared_.mutex);
  if (compactor_ == nullptr || !complete_) {
    shared_.parked.push_back(take_memtable());
    return;
  }
  shared_.commit.waits_since = std::chrono::steady_clock::now();
  while (!shared_.compactor.failure && (shared_.immutable || shared_.too_many_unmerged())) {
    shared_.changed.wait(lock);
  }
  shared_.commit.wait_seconds += shared_.waiting_seconds();
  shared_.commit.waits_since.reset();
  if (shared_.compactor.failure) std::rethrow_exception(shared_.compactor.failure);
  shared_.immutable = take_memtable();
  shared_.changed.notify_all();
}

void Index::find(std::span<const Probe> probes, Seq after, std::size_t limit, PostingLists& lists) {
  prepare();
  std::unique_ptr<IndexLookup> lookup = take_lookup();
  lookup->find(*memtable_, probes, after, limit, lists);
  if (!lookup->crowded().empty()) {
    const WriterLock lock(shared_.mutex);
    for (const Probe& probe : lookup->crowded()) memtable_->forget(probe, shared_.deleted);
  }
  const MutexLock lock(lookups_mutex_);
  lookups_.push_back(std::move(lookup));
}

std::unique_ptr<IndexLookup> Index::take_lookup() {
  const MutexLock lock(lookups_mutex_);
  if (lookups_.empty()) return std::make_unique<IndexLookup>(state_, shared_, make_);
  std::unique_ptr<IndexLookup> lookup = std::move(lookups_.back());
  lookups_.pop_back();
  return lookup;
}

std::vector<Seq> Index::seqs_of_id(const IdKey& id) {
  const Probe wanted = probe(id);
  std::vector<Seq> found;
  const ReaderLock lock(shared_.mutex);
  const SeqSet* deleted = &shared_.deleted;
  const Seq expired_before = shared_.expired_before;
  const auto take = [&](Seq seq) {
    if (seq >= expired_before && !deleted->contains(seq)) found.push_back(seq);
    return true;
  };
  std::vector<std::uint32_t> place;
  for (const auto& generation : shared_.generations) {
    if (!generation->may_contain(wanted)) continue;
    place.assign(1, 0);
    find_in_pages(state_, generation->manifest, {&wanted, 1}, place, 0,
                  [&](std::uint32_t, Seq seq) { return take(seq); });
  }
  for (const auto& parked : shared_.parked) parked->find(wanted, shared_.deleted, take);
  if (shared_.immutable) shared_.immutable->find(wanted, shared_.deleted, take);
  memtable_->find(wanted, shared_.deleted, take);
  return found;
}

void Index::rethrow() {
  const ReaderLock lock(shared_.mutex);
  if (shared_.compactor.failure) std::rethrow_exception(shared_.compactor.failure);
}

// Without the mutex: only this thread changes the sketches.
const std::uint64_t* Index::one_bit(Seq seq) NO_THREAD_SAFETY_ANALYSIS {
  return shared_.commit.one_bits.get(seq);
}

std::shared_ptr<const SketchView> Index::sketches() {
  if (!prepared_) prepare();
  const WriterLock lock(shared_.mutex);
  return std::make_shared<const IndexView>(state_, shared_.commit.one_bits, shared_.deleted,
                                           shared_.expired_before, shared_.commit.end);
}

std::uint64_t Index::postings() {
  prepare();
  const WriterLock lock(shared_.mutex);
  std::uint64_t sum =
      memtable_->postings() + (shared_.immutable ? shared_.immutable->postings() : 0);
  for (const auto& parked : shared_.parked) sum += parked->postings();
  for (const auto& generation : shared_.generations) sum += generation->postings();
  return sum;
}

std::uint64_t Index::memory_bytes() {
  const WriterLock lock(shared_.mutex);
  return shared_.filter_bytes() + shared_.commit.one_bits.memory_bytes();
}

IndexStats Index::stats() {
  const WriterLock lock(shared_.mutex);
  IndexStats stats;
  stats.postings = shared_.commit.memtable_postings;
  stats.memtable_bytes = shared_.commit.memtable_bytes;
  const auto add = [&](const Memtable& part) {
    stats.postings += part.postings();
    stats.memtable_bytes += part.memory_bytes();
  };
  if (shared_.immutable) add(*shared_.immutable);
  for (const auto& parked : shared_.parked) add(*parked);
  for (const auto& generation : shared_.generations) stats.postings += generation->postings();
  stats.generations = shared_.generations.size();
  stats.filter_bytes = shared_.filter_bytes();
  stats.one_bit_bytes = shared_.commit.one_bits.memory_bytes();
  stats.flushes = shared_.compactor.flushes;
  stats.merges = shared_.compactor.merges;
  stats.waiting_seconds = shared_.waiting_seconds();
  stats.wait_seconds = shared_.commit.wait_seconds + stats.waiting_seconds;
  stats.merge_done = shared_.compactor.merge_done;
  return stats;
}

CommitWait Index::commit_wait() {
  const WriterLock lock(shared_.mutex);
  if (!shared_.commit.waits_since) return {};
  return {shared_.waiting_seconds(), shared_.progress};
}

void Index::rebuild(const MakeIndexEntry& make, std::uint64_t purpose,
                    const std::function<void(Seq)>& progress, rocksdb::WriteBatch& batch) {
  compactor_.reset();           // its merges would use the numbers of the new generations
  erase_merge_journal(state_);  // so would a saved merge
  remove_unfinished_files(state_);
  const Rebuild rebuild{purpose, make, id_key_, flushed_to_, progress};
  put_epoch(state_, build_next_epoch(state_, memory_, rebuild), batch);
}

void Index::merge_all() {
  prepare();
  remove_next_epoch(state_);
  if (complete_) switch_memtable();
  WriterLock lock(shared_.mutex);
  while (shared_.immutable && !shared_.compactor.failure) shared_.changed.wait(lock);
  shared_.merge_all = true;
  shared_.compactor.merged_to = 0;
  shared_.changed.notify_all();
  while (shared_.merge_all && !shared_.compactor.failure) shared_.changed.wait(lock);
  if (shared_.compactor.failure) std::rethrow_exception(shared_.compactor.failure);
}

}  // namespace neardup
