#include "storage/index/build.h"

#include <algorithm>
#include <bit>
#include <string>

#include "storage/generation/column_writer.h"
#include "storage/generation/page_stream.h"

namespace neardup {
namespace {

constexpr std::uint64_t kPagePostings = 256;
constexpr unsigned kMostPrefixBits = 28;

void finish(Manifest& manifest, SstFiles& files) {
  files.put(encode_manifest_key(manifest.generation), encode_manifest(manifest));
  files.finish();
}

// Merges adjacent sorted runs pairwise until one is left. `starts`: where each run begins, and the
// end.
void merge_runs(std::vector<std::uint64_t>& values, std::vector<std::size_t> starts,
                std::vector<std::uint64_t>& spare) {
  while (starts.size() > 2) {
    spare.resize(values.size());
    std::vector<std::size_t> next;
    auto out = spare.begin();
    const auto at = [&](std::size_t run) {
      return values.begin() + static_cast<std::ptrdiff_t>(starts[std::min(run, starts.size() - 1)]);
    };
    for (std::size_t i = 0; i + 1 < starts.size(); i += 2) {
      next.push_back(starts[i]);
      out = std::merge(at(i), at(i + 1), at(i + 1), at(i + 2), out);
    }
    next.push_back(values.size());
    starts = std::move(next);
    values.swap(spare);
  }
}

// The manifest of a merge, without columns.
Manifest result_of(const std::vector<Manifest>& sources, std::uint32_t number) {
  Manifest result;
  result.generation = number;
  result.epoch = sources.front().epoch;
  result.purpose = sources.front().purpose;
  result.first = sources.front().first;
  result.end = sources.back().end;
  for (const Manifest& source : sources) {
    result.level = std::max(result.level, source.level + 1);
    result.ids += source.ids;
  }
  result.prefix_bits = prefix_bits_for(result.ids);
  return result;
}

}  // namespace

unsigned prefix_bits_for(std::uint64_t ids) {
  const auto bits = static_cast<unsigned>(std::bit_width(ids / kPagePostings));
  return std::clamp(bits, kLeastPrefixBits, kMostPrefixBits);
}

Generation write_flush(const Memtable& memtable, const Manifest& like, std::uint64_t filter_bits,
                       const SeqSet& deleted, SstFiles& files,
                       const std::function<void()>& progress) {
  Manifest manifest = like;
  manifest.first = memtable.first();
  manifest.end = memtable.end();
  manifest.ids = memtable.ids();
  manifest.prefix_bits = prefix_bits_for(memtable.ids());
  std::vector<std::uint64_t> lines;
  for (const PostingTable& table : memtable.tables()) {
    lines.push_back(Filter::lines_for(table.size(), filter_bits));
  }
  std::vector<Filter> filters = Filter::make(lines);
  for (std::size_t column = 0; column < memtable.tables().size(); ++column) {
    const PostingTable& table = memtable.tables()[column];
    ColumnWriter writer(files, manifest, column, filters[column]);
    table.for_each([&](Hash40 hash, std::uint32_t offset) {
      if (!deleted.contains(memtable.first() + offset)) writer.add(hash, offset);
    });
    manifest.columns.push_back(writer.finish());
    progress();
  }
  finish(manifest, files);
  Generation made(manifest);
  for (std::size_t i = 0; i < filters.size(); ++i) {
    made.columns[i].filter.emplace(std::move(filters[i]));
  }
  return made;
}

Merge::Merge(const RocksdbState& state, const std::vector<Manifest>& sources, std::uint32_t number,
             std::uint64_t filter_bits, Seq expired_before, SeqSet deleted)
    : Merge(state, sources,
            MergeJournal{.sources = {},
                         .filter_bits = filter_bits,
                         .expired_before = expired_before,
                         .result = result_of(sources, number),
                         .file_bytes = {},
                         .deleted = std::move(deleted)}) {
  for (const Manifest& source : sources_) journal_.sources.push_back(source.generation);
}

Merge::Merge(const RocksdbState& state, std::vector<Manifest> sources, MergeJournal journal)
    : state_(state),
      sources_(std::move(sources)),
      journal_(std::move(journal)),
      files_(state, Family::kIndex, index_file_name(journal_.result.generation),
             journal_.file_bytes.size()),
      saved_(!journal_.file_bytes.empty()) {
  for (const Manifest& source : sources_) columns_ = std::max(columns_, source.columns.size());
}

MergeStep Merge::step(const std::function<bool()>& go_on) {
  const std::size_t column = journal_.result.columns.size();
  if (column < columns_) {
    return merge_column(column, go_on) ? MergeStep::kColumn : MergeStep::kStopped;
  }
  finish(journal_.result, files_);
  return MergeStep::kDone;
}

void Merge::save() {
  files_.finish();
  files_.keep();
  journal_.file_bytes.clear();
  for (const std::string& path : files_.paths()) {
    state_.check(state_.db().GetEnv()->GetFileSize(path, &journal_.file_bytes.emplace_back()),
                 "writing the index");
  }
  write_merge_journal(state_, journal_);
  saved_ = true;
}

bool Merge::merge_column(std::size_t column, const std::function<bool()>& go_on) {
  std::uint64_t most = 0;
  const Manifest& result = journal_.result;
  unsigned coarse_bits = result.prefix_bits;
  std::vector<PageStream> streams;
  for (const Manifest& source : sources_) {
    if (column >= source.columns.size()) continue;
    most += source.columns[column].postings;
    coarse_bits = std::min(coarse_bits, source.prefix_bits);
    streams.emplace_back(state_, source, column, result.first);
  }
  const std::uint64_t lines = Filter::lines_for(most, journal_.filter_bits);
  Filter filter = std::move(Filter::make({&lines, 1}).front());
  ColumnWriter writer(files_, result, column, filter);
  const Hash40 step = Hash40{1} << (kHashBits - coarse_bits);
  for (Hash40 base = 0; base < Hash40{1} << kHashBits; base += step) {
    if (!go_on()) return false;
    postings_.clear();
    std::vector<std::size_t> starts;
    for (PageStream& stream : streams) {
      starts.push_back(postings_.size());
      stream.read_until(base + step, postings_);
    }
    starts.push_back(postings_.size());
    merge_runs(postings_, std::move(starts), merged_);
    constexpr Hash40 kLow = 0xffffffff;
    for (const std::uint64_t posting : postings_) {
      const auto offset = static_cast<std::uint32_t>(posting);
      const Seq seq = result.first + offset;
      if (seq < journal_.expired_before || journal_.deleted.contains(seq)) continue;
      writer.add((base & ~kLow) | (posting >> 32), offset);
    }
  }
  for (const PageStream& stream : streams) stream.check_end();
  journal_.result.columns.push_back(writer.finish());
  return true;
}

}  // namespace neardup
