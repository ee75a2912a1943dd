#include "storage/index/compactor.h"

#include <rocksdb/write_batch.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "storage/format.h"
#include "storage/index/filter_budget.h"
#include "storage/index/one_bit/namespace_tags.h"
#include "storage/index/one_bit/one_bit_files.h"

namespace neardup {
namespace {

constexpr std::chrono::seconds kBetweenSaves{10};

std::uint64_t postings_of(const Generations& generations) {
  std::uint64_t sum = 0;
  for (const auto& generation : generations) sum += generation->postings();
  return sum;
}

SeqSet set_of(const std::vector<Seq>& seqs) {
  SeqSet set;
  for (const Seq seq : seqs) set.insert(seq);
  return set;
}

}  // namespace

Compactor::Compactor(const RocksdbState& state, IndexState& shared, std::uint64_t filters,
                     std::uint64_t lookup)
    : state_(state), shared_(shared), filters_(filters), lookup_(lookup) {
  share_memory();
  thread_ = std::thread([this] { run(); });
}

Compactor::~Compactor() {
  {
    const WriterLock lock(shared_.mutex);
    shared_.stop = true;
  }
  shared_.changed.notify_all();
  thread_.join();
}

void Compactor::run() {
  try {
    while (work()) {
    }
  } catch (...) {
    const WriterLock lock(shared_.mutex);
    shared_.compactor.failure = std::current_exception();
  }
  shared_.changed.notify_all();
}

bool Compactor::has_work() const {
  return shared_.immutable || merge_ || shared_.saved_merge || shared_.merge_all ||
         !shared_.to_merge().empty();
}

// Does one piece of work; a flush has priority. Waits if there is none. False: stopped.
bool Compactor::work() {
  const Memtable* immutable = nullptr;
  {
    WriterLock lock(shared_.mutex);
    while (!shared_.stop && !has_work()) shared_.changed.wait(lock);
    if (shared_.stop) return false;
    immutable = shared_.immutable.get();
  }
  const auto start = std::chrono::steady_clock::now();
  const bool flushes = immutable != nullptr;
  bool ends = flushes;
  if (flushes) {
    flush(*immutable);
  } else if (!merge_) {
    drop_expired();
    if (!continue_merge()) begin_merge();
    saved_at_ = start;
  } else {
    const MergeStep step = merge_->step([this] { return go_on(); });
    if (step == MergeStep::kStopped) return false;
    ends = step == MergeStep::kDone;
    ends ? finish_merge() : save_merge();
  }
  count(flushes, ends, std::chrono::steady_clock::now() - start);
  return true;
}

// Also reports progress, for Store::commit_wait.
bool Compactor::go_on() {
  ++shared_.progress;
  return !shared_.stop;
}

void Compactor::count(bool flushes, bool ends, std::chrono::duration<double> time) {
  const WriterLock lock(shared_.mutex);
  CompactorWork& work = flushes ? shared_.compactor.flushes : shared_.compactor.merges;
  work.runs += ends ? 1 : 0;
  work.seconds += time.count();
  shared_.compactor.merge_done = merge_ ? merge_->part_done() : 0;
}

void Compactor::flush(const Memtable& memtable) {
  Manifest like;
  std::vector<Seq> deleted;
  std::uint64_t bits = 0;
  {
    const WriterLock lock(shared_.mutex);
    like = shared_.like;
    like.generation = shared_.next_number++;
    deleted = shared_.deleted.in_range(memtable.first(), memtable.end());
    bits = filter_bits(filters_, postings_of(shared_.generations) + memtable.postings());
  }
  SstFiles pages(state_, Family::kIndex, index_file_name(like.generation));
  SstFiles sketches(state_, Family::kBits, "bits-" + std::to_string(like.generation));
  auto made = std::make_unique<Generation>(
      write_flush(memtable, like, bits, set_of(deleted), pages, [this] { go_on(); }));
  const auto stored = [this](Seq begin, Seq end) {
    const WriterLock lock(shared_.mutex);
    return shared_.commit.one_bits.stored(begin, end);
  };
  write_one_bits(stored, memtable.first(), memtable.end(), sketches);
  write_tags(memtable.first(), memtable.end());
  ingest(state_, {&pages, &sketches});
  {
    const WriterLock lock(shared_.mutex);
    shared_.commit.one_bits.set_keep(memtable.end());
    shared_.generations.push_back(std::move(made));
    shared_.immutable.reset();
  }
  shared_.changed.notify_all();
  forget_deleted(deleted);
  share_memory();
}

// Continues a saved merge. False: there is none, or one of its sources has expired.
bool Compactor::continue_merge() {
  {
    const WriterLock lock(shared_.mutex);
    std::optional<MergeJournal> saved = std::exchange(shared_.saved_merge, {});
    if (!saved) return false;
    std::vector<Manifest> sources;
    for (const auto& generation : shared_.generations) {
      const std::uint32_t number = generation->manifest.generation;
      if (std::ranges::count(saved->sources, number) > 0) sources.push_back(generation->manifest);
    }
    if (sources.size() == saved->sources.size()) {
      merges_all_ = false;
      merge_ = std::make_unique<Merge>(state_, std::move(sources), *std::move(saved));
      return true;
    }
  }
  erase_merge_journal(state_);
  remove_unfinished_files(state_);
  return false;
}

// Saves the merge at most every 10 s, since each save makes one more file.
void Compactor::save_merge() {
  const auto now = std::chrono::steady_clock::now();
  if (state_.temporary() || now - saved_at_ < kBetweenSaves) return;
  merge_->save();
  saved_at_ = now;
}

void Compactor::begin_merge() {
  const WriterLock lock(shared_.mutex);
  const Neighbours chosen = shared_.to_merge();
  if (chosen.empty()) {
    shared_.merge_all = false;
    shared_.changed.notify_all();
    return;
  }
  std::vector<Manifest> sources;
  for (std::size_t i = chosen.begin; i < chosen.end; ++i) {
    sources.push_back(shared_.generations[i]->manifest);
  }
  const Seq first = sources.front().first;
  const Seq end = sources.back().end;
  merges_all_ = shared_.merge_all;
  merge_ =
      std::make_unique<Merge>(state_, sources, shared_.next_number++,
                              filter_bits(filters_, postings_of(shared_.generations)),
                              shared_.expired_before, set_of(shared_.deleted.in_range(first, end)));
}

// Replaces the sources by the result column by column, so that at most one extra filter is in
// memory.
void Compactor::finish_merge() {
  ingest(state_, {&merge_->files()});
  {
    const WriterLock lock(shared_.mutex);
    auto made = std::make_unique<Generation>(merge_->result());
    for (Generation::Column& column : made->columns) column.searched = false;
    const auto place = std::find_if(
        shared_.generations.begin(), shared_.generations.end(), [this](const auto& generation) {
          return generation->manifest.generation == merge_->sources().front().generation;
        });
    shared_.generations.insert(place, std::move(made));
  }
  for (std::size_t i = 0; i < merge_->result().columns.size(); ++i) {
    take_over(i);
    go_on();
  }
  const auto is_source = [this](const auto& generation) {
    return std::any_of(merge_->sources().begin(), merge_->sources().end(),
                       [&](const Manifest& source) {
                         return source.generation == generation->manifest.generation;
                       });
  };
  {
    const WriterLock lock(shared_.mutex);
    std::erase_if(shared_.generations, is_source);
    if (merges_all_) shared_.compactor.merged_to = merge_->result().end;
  }
  shared_.changed.notify_all();
  for (const Manifest& source : merge_->sources()) remove_generation(state_, source.generation);
  if (merge_->is_saved()) erase_merge_journal(state_);
  const Manifest& result = merge_->result();
  forget_deleted(merge_->deleted().in_range(result.first, result.end));
  merge_.reset();
  share_memory();
}

void Compactor::take_over(std::size_t column) {
  std::optional<Filter> filter =
      std::move(read_filters(state_, merge_->result(), column, 1).front());
  const WriterLock lock(shared_.mutex);
  for (const auto& generation : shared_.generations) {
    if (column >= generation->columns.size()) continue;
    Generation::Column& its = generation->columns[column];
    if (generation->manifest.generation == merge_->result().generation) {
      its.filter.swap(filter);  // there is one such generation
      its.searched = true;
    } else if (generation->manifest.first >= merge_->result().first &&
               generation->manifest.end <= merge_->result().end) {
      its.filter.reset();
      its.searched = false;
    }
  }
}

void Compactor::drop_expired() {
  std::vector<std::uint32_t> expired;
  std::vector<Seq> deleted;
  {
    const WriterLock lock(shared_.mutex);
    const Seq before = shared_.expired_before;
    const SeqSet* all_deleted = &shared_.deleted;
    std::erase_if(shared_.generations, [&](const auto& generation) {
      const Manifest& manifest = generation->manifest;
      if (manifest.end > before) return false;
      expired.push_back(manifest.generation);
      std::ranges::copy(all_deleted->in_range(manifest.first, manifest.end),
                        std::back_inserter(deleted));
      return true;
    });
  }
  for (const std::uint32_t number : expired) remove_generation(state_, number);
  forget_deleted(deleted);
}

// The tags of a run as of the last commit.
RunTags Compactor::tags_of(std::uint64_t run) {
  RunTags tags{};
  Seq from = 0;
  {
    const WriterLock lock(shared_.mutex);
    from = shared_.commit.one_bits.copy_tags(run, tags);
  }
  const Seq start = run * kRunSeqs;
  if (from == start) return tags;
  const RunTags stored = read_tags(state_, run);
  std::copy_n(stored.begin(), from - start, tags.begin());
  return tags;
}

// Stores the tags of the runs of [first, end). Before the flush of these seqs takes effect: tags of
// seqs that are not flushed are not used.
void Compactor::write_tags(Seq first, Seq end) {
  std::vector<std::uint64_t> runs;
  {
    const WriterLock lock(shared_.mutex);
    runs = shared_.commit.one_bits.run_numbers();  // the others of [first, end) have no sketches
  }
  rocksdb::WriteBatch batch;
  for (const std::uint64_t run : runs) {
    if (run >= first / kRunSeqs && run * kRunSeqs < end) put_tags(state_, run, tags_of(run), batch);
  }
  state_.write(batch, "writing");
}

// Takes the tags of deleted documents out of what is stored. `seqs` are ascending. Expired runs
// have no tags any more.
void Compactor::put_tags_without(std::span<const Seq> seqs, rocksdb::WriteBatch& batch) {
  Seq expired = 0;
  {
    const WriterLock lock(shared_.mutex);
    expired = shared_.expired_before / kRunSeqs * kRunSeqs;
  }
  for (auto at = std::ranges::lower_bound(seqs, expired); at != seqs.end();) {
    const std::uint64_t run = *at / kRunSeqs;
    RunTags tags = tags_of(run);
    for (; at != seqs.end() && *at / kRunSeqs == run; ++at) tags[*at % kRunSeqs] = 0;
    put_tags(state_, run, tags, batch);
  }
}

// Erases tombstones of documents that have no postings any more.
void Compactor::forget_deleted(std::vector<Seq> seqs) {
  if (seqs.empty()) return;
  std::ranges::sort(seqs);
  rocksdb::WriteBatch batch;
  put_tags_without(seqs, batch);
  for (const Seq seq : seqs) {
    const RowKey key = encode_row_key(seq);
    state_.check(batch.Delete(state_.family(Family::kEnded), {key.data(), key.size()}),
                 "gathering a batch");
  }
  state_.write(batch, "writing");
  const WriterLock lock(shared_.mutex);
  for (const Seq seq : seqs) shared_.deleted.erase(seq);
}

void Compactor::share_memory() {
  fit_filters(shared_, filters_);
  const WriterLock lock(shared_.mutex);
  const std::uint64_t used = shared_.filter_bytes();
  shared_.commit.one_bits.set_budget(lookup_ - std::min(lookup_, used));
}

}  // namespace neardup
