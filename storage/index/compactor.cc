#include "storage/index/compactor.h"

#include <rocksdb/write_batch.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "storage/format.h"
#include "storage/index/filter_budget.h"
#include "storage/index/one_bit_files.h"

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

Maintenance::Maintenance(const RocksdbState& state, Layout& layout, std::uint64_t filters,
                         std::uint64_t lookup)
    : state_(state), layout_(layout), filters_(filters), lookup_(lookup) {
  share_memory();
  thread_ = std::thread([this] { run(); });
}

Maintenance::~Maintenance() {
  {
    const MutexLock lock(layout_.mutex);
    layout_.stop = true;
  }
  layout_.changed.notify_all();
  thread_.join();
}

void Maintenance::run() {
  try {
    while (work()) {
    }
  } catch (...) {
    const MutexLock lock(layout_.mutex);
    layout_.failure = std::current_exception();
  }
  layout_.changed.notify_all();
}

bool Maintenance::has_work() const {
  return layout_.frozen || merge_ || layout_.saved_merge || layout_.merge_all ||
         !layout_.to_merge().empty();
}

// One piece of work, a flush before all else. False: the end.
bool Maintenance::work() {
  const Recent* frozen = nullptr;
  {
    MutexLock lock(layout_.mutex);
    while (!layout_.stop && !has_work()) layout_.changed.wait(lock);
    if (layout_.stop) return false;
    frozen = layout_.frozen.get();
  }
  const auto start = std::chrono::steady_clock::now();
  const bool flushes = frozen != nullptr;
  bool ends = flushes;
  if (flushes) {
    flush(*frozen);
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

// Also tells that maintenance gets on.
bool Maintenance::go_on() {
  ++layout_.progress;
  return !layout_.stop;
}

void Maintenance::count(bool flushes, bool ends, std::chrono::duration<double> time) {
  const MutexLock lock(layout_.mutex);
  MaintenanceWork& work = flushes ? layout_.flushes : layout_.merges;
  work.runs += ends ? 1 : 0;
  work.seconds += time.count();
  layout_.merge_done = merge_ ? merge_->part_done() : 0;
}

void Maintenance::flush(const Recent& recent) {
  Manifest like;
  std::vector<Seq> gone;
  std::uint64_t bits = 0;
  {
    const MutexLock lock(layout_.mutex);
    like = layout_.like;
    like.generation = layout_.next_number++;
    gone = layout_.gone.in_range(recent.first(), recent.end());
    bits = filter_bits(filters_, postings_of(layout_.generations) + recent.postings());
  }
  SstFiles pages(state_, Family::kIndex, index_file_name(like.generation));
  SstFiles sketches(state_, Family::kBits, "bits-" + std::to_string(like.generation));
  auto made = std::make_unique<Generation>(
      write_flush(recent, like, bits, set_of(gone), pages, [this] { go_on(); }));
  const auto stored = [this](Seq begin, Seq end) {
    const MutexLock lock(layout_.mutex);
    return layout_.one_bits.stored(begin, end);
  };
  write_one_bits(stored, recent.first(), recent.end(), sketches);
  ingest(state_, {&pages, &sketches});
  {
    const MutexLock lock(layout_.mutex);
    layout_.one_bits.set_keep(recent.end());
    layout_.generations.push_back(std::move(made));
    layout_.frozen.reset();
  }
  layout_.changed.notify_all();
  forget_gone(gone);
  share_memory();
}

// False: there is none, or one of its sources has expired.
bool Maintenance::continue_merge() {
  {
    const MutexLock lock(layout_.mutex);
    std::optional<MergeJournal> saved = std::exchange(layout_.saved_merge, {});
    if (!saved) return false;
    std::vector<Manifest> sources;
    for (const auto& generation : layout_.generations) {
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

// A column of a large index takes long, and each call makes one file more.
void Maintenance::save_merge() {
  const auto now = std::chrono::steady_clock::now();
  if (state_.temporary() || now - saved_at_ < kBetweenSaves) return;
  merge_->save();
  saved_at_ = now;
}

void Maintenance::begin_merge() {
  const MutexLock lock(layout_.mutex);
  const Neighbours chosen = layout_.to_merge();
  if (chosen.empty()) {
    layout_.merge_all = false;
    layout_.changed.notify_all();
    return;
  }
  std::vector<Manifest> sources;
  for (std::size_t i = chosen.begin; i < chosen.end; ++i) {
    sources.push_back(layout_.generations[i]->manifest);
  }
  const Seq first = sources.front().first;
  const Seq end = sources.back().end;
  merges_all_ = layout_.merge_all;
  merge_ =
      std::make_unique<Merge>(state_, std::move(sources), layout_.next_number++,
                              filter_bits(filters_, postings_of(layout_.generations)),
                              layout_.expired_before, set_of(layout_.gone.in_range(first, end)));
}

// The result takes the place of its sources column by column: there is never more than one filter
// too many in memory.
void Maintenance::finish_merge() {
  ingest(state_, {&merge_->files()});
  {
    const MutexLock lock(layout_.mutex);
    auto made = std::make_unique<Generation>(merge_->result());
    for (Generation::Column& column : made->columns) column.searched = false;
    const auto place = std::find_if(
        layout_.generations.begin(), layout_.generations.end(), [this](const auto& generation) {
          return generation->manifest.generation == merge_->sources().front().generation;
        });
    layout_.generations.insert(place, std::move(made));
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
    const MutexLock lock(layout_.mutex);
    std::erase_if(layout_.generations, is_source);
    if (merges_all_) layout_.merged_to = merge_->result().end;
  }
  layout_.changed.notify_all();
  for (const Manifest& source : merge_->sources()) remove_generation(state_, source.generation);
  if (merge_->is_saved()) erase_merge_journal(state_);
  const Manifest& result = merge_->result();
  forget_gone(merge_->gone().in_range(result.first, result.end));
  merge_.reset();
  share_memory();
}

void Maintenance::take_over(std::size_t column) {
  std::optional<Filter> filter =
      std::move(read_filters(state_, merge_->result(), column, 1).front());
  const MutexLock lock(layout_.mutex);
  for (const auto& generation : layout_.generations) {
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

void Maintenance::drop_expired() {
  std::vector<std::uint32_t> expired;
  std::vector<Seq> gone;
  {
    const MutexLock lock(layout_.mutex);
    const Seq before = layout_.expired_before;
    const SeqSet* all_gone = &layout_.gone;
    std::erase_if(layout_.generations, [&](const auto& generation) {
      const Manifest& manifest = generation->manifest;
      if (manifest.end > before) return false;
      expired.push_back(manifest.generation);
      std::ranges::copy(all_gone->in_range(manifest.first, manifest.end), std::back_inserter(gone));
      return true;
    });
  }
  for (const std::uint32_t number : expired) remove_generation(state_, number);
  forget_gone(gone);
}

// They have no postings any more.
void Maintenance::forget_gone(const std::vector<Seq>& seqs) {
  if (seqs.empty()) return;
  rocksdb::WriteBatch batch;
  for (const Seq seq : seqs) {
    const RowKey key = encode_row_key(seq);
    state_.check(batch.Delete(state_.family(Family::kEnded), {key.data(), key.size()}),
                 "gathering a batch");
  }
  rocksdb::WriteOptions lazily;
  lazily.disableWAL = state_.temporary();
  state_.check(state_.db().Write(lazily, &batch), "writing");
  const MutexLock lock(layout_.mutex);
  for (const Seq seq : seqs) layout_.gone.erase(seq);
}

void Maintenance::share_memory() {
  fit_filters(layout_, filters_);
  const MutexLock lock(layout_.mutex);
  const std::uint64_t used = layout_.filter_bytes();
  layout_.one_bits.set_budget(lookup_ - std::min(lookup_, used));
}

}  // namespace neardup
