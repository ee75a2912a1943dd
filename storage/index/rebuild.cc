#include "storage/index/rebuild.h"

#include <iterator>
#include <map>
#include <string>

#include "storage/index/build.h"
#include "storage/index/epoch.h"
#include "storage/index/filter_budget.h"
#include "storage/index/memtable_rows.h"
#include "storage/index/one_bit/namespace_tags.h"
#include "storage/index/one_bit/one_bit_files.h"

namespace neardup {
namespace {

// Writes the generations of one epoch, one after another.
class EpochWriter {
 public:
  EpochWriter(const RocksdbState& state, const MemoryPlan& memory, Manifest like,
              std::uint32_t next_number, Seq from, Seq flushed_to)
      : state_(state),
        memory_(memory),
        like_(std::move(like)),
        number_(next_number),
        from_(from),
        flushed_to_(flushed_to) {}

  void add(std::span<const MemtableEntry> entries) {
    while (!entries.empty()) {
      const auto fitting = memtable_.fitting(entries);
      memtable_.add(fitting);
      put_one_bits(fitting);
      put_tags_of(fitting);
      entries = entries.subspan(fitting.size());
      if (!entries.empty() || is_full(memtable_, memory_)) flush();
    }
  }

  void flush() {
    if (memtable_.empty()) return;
    like_.generation = number_++;
    SstFiles pages(state_, Family::kIndex, index_file_name(like_.generation));
    SstFiles sketches(state_, Family::kBits, "bits-" + std::to_string(like_.generation));
    write_flush(memtable_, like_, kMostFilterBits, {}, pages, [] {});
    write_one_bits([this](Seq begin, Seq end) { return one_bits_.stored(begin, end); },
                   std::max(memtable_.first(), flushed_to_), memtable_.end(), sketches);
    write_tags();
    ingest(state_, {&pages, &sketches});
    memtable_ = Memtable();
    one_bits_ = OneBits();
  }

 private:
  // Without these sketches, a stored run would have a gap before sketches that are added later.
  void put_one_bits(std::span<const MemtableEntry> entries) {
    for (const MemtableEntry& entry : entries) {
      if (entry.seq < flushed_to_ || !entry.has_sketch()) continue;
      one_bits_.put(entry.seq, entry.tag, entry.index->one_bit);
    }
  }

  void put_tags_of(std::span<const MemtableEntry> entries) {
    for (const MemtableEntry& entry : entries) {
      if (!entry.has_sketch()) continue;
      const std::uint64_t run = entry.seq / kRunSeqs;
      const auto [tags, made] = tags_.try_emplace(run);
      if (made && run * kRunSeqs < from_) tags->second = read_tags(state_, run);
      tags->second[entry.seq % kRunSeqs] = entry.tag;
    }
  }

  // The last run may continue after this flush.
  void write_tags() {
    rocksdb::WriteBatch batch;
    for (const auto& [run, tags] : tags_) put_tags(state_, run, tags, batch);
    state_.write(batch, "writing");
    if (!tags_.empty()) tags_.erase(tags_.begin(), std::prev(tags_.end()));
  }

  const RocksdbState& state_;
  MemoryPlan memory_;
  Manifest like_;
  std::uint32_t number_;
  Seq from_;  // documents before it are indexed already
  Seq flushed_to_;
  Memtable memtable_;
  OneBits one_bits_;
  std::map<std::uint64_t, RunTags> tags_;  // by run
};

}  // namespace

std::uint32_t build_next_epoch(const RocksdbState& state, const MemoryPlan& memory,
                               const Rebuild& rebuild) {
  const StoredGenerations stored = read_generations(state);
  Manifest like;
  like.epoch = stored.epoch + 1;
  like.purpose = rebuild.purpose;
  Seq from = 0;
  for (const Manifest& manifest : stored.next) {
    if (manifest.purpose == rebuild.purpose && manifest.epoch == like.epoch) {
      from = manifest.end;
    } else {
      remove_generation(state, manifest.generation);
    }
  }
  EpochWriter writer(state, memory, like, stored.next_number, from, rebuild.flushed_to);
  read_entries(state, from, rebuild.make, rebuild.id_key,
               [&](std::span<const MemtableEntry> entries) {
                 if (entries.empty()) return;
                 writer.add(entries);
                 rebuild.progress(entries.back().seq);
               });
  writer.flush();
  return like.epoch;
}

void remove_next_epoch(const RocksdbState& state) {
  for (const Manifest& manifest : read_generations(state).next) {
    remove_generation(state, manifest.generation);
  }
}

}  // namespace neardup
