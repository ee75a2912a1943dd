#include "storage/index/build.h"

#include <algorithm>
#include <bit>
#include <string>

#include "storage/index/column_writer.h"
#include "storage/index/page_stream.h"

namespace neardup {
namespace {

constexpr std::uint64_t kPagePostings = 256;
constexpr unsigned kMostPrefixBits = 28;

std::string file_name(std::uint32_t generation) { return "index-" + std::to_string(generation); }

void finish(Manifest& manifest, SstFiles& files) {
  files.put(encode_manifest_key(manifest.generation), encode_manifest(manifest));
  files.finish();
}

// Merges sorted runs, which begin at `starts` (with the end behind them), two by two.
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

}  // namespace

unsigned prefix_bits_for(std::uint64_t ids) {
  const auto bits = static_cast<unsigned>(std::bit_width(ids / kPagePostings));
  return std::clamp(bits, kLeastPrefixBits, kMostPrefixBits);
}

Generation write_flush(const Recent& recent, const Manifest& like, std::uint64_t filter_bits,
                       const SeqSet& gone, SstFiles& files) {
  Manifest manifest = like;
  manifest.first = recent.first();
  manifest.end = recent.end();
  manifest.ids = recent.ids();
  manifest.prefix_bits = prefix_bits_for(recent.ids());
  std::vector<std::uint64_t> lines;
  for (const PostingTable& table : recent.tables()) {
    lines.push_back(Filter::lines_for(table.size(), filter_bits));
  }
  std::vector<Filter> filters = Filter::make(lines);
  for (std::size_t column = 0; column < recent.tables().size(); ++column) {
    const PostingTable& table = recent.tables()[column];
    ColumnWriter writer(files, manifest, column, filters[column]);
    table.for_each([&](Hash40 hash, std::uint32_t offset) {
      if (!gone.contains(recent.first() + offset)) writer.add(hash, offset);
    });
    manifest.columns.push_back(writer.finish());
  }
  finish(manifest, files);
  Generation made(manifest);
  for (std::size_t i = 0; i < filters.size(); ++i) {
    made.columns[i].filter.emplace(std::move(filters[i]));
  }
  return made;
}

Merge::Merge(const RocksdbState& state, std::vector<Manifest> sources, std::uint32_t number,
             std::uint64_t filter_bits, Seq expired_before, SeqSet gone)
    : state_(state),
      sources_(std::move(sources)),
      filter_bits_(filter_bits),
      expired_before_(expired_before),
      gone_(std::move(gone)),
      files_(state, Family::kIndex, file_name(number)) {
  result_.generation = number;
  result_.epoch = sources_.front().epoch;
  result_.purpose = sources_.front().purpose;
  result_.first = sources_.front().first;
  result_.end = sources_.back().end;
  for (const Manifest& source : sources_) {
    result_.level = std::max(result_.level, source.level + 1);
    result_.ids += source.ids;
    result_.columns.resize(std::max(result_.columns.size(), source.columns.size()));
  }
  result_.prefix_bits = prefix_bits_for(result_.ids);
}

bool Merge::step() {
  if (column_ < result_.columns.size()) {
    merge_column(column_++);
    return true;
  }
  finish(result_, files_);
  return false;
}

void Merge::merge_column(std::size_t column) {
  std::uint64_t most = 0;
  unsigned coarse_bits = result_.prefix_bits;
  std::vector<PageStream> streams;
  for (const Manifest& source : sources_) {
    if (column >= source.columns.size()) continue;
    most += source.columns[column].postings;
    coarse_bits = std::min(coarse_bits, source.prefix_bits);
    streams.emplace_back(state_, source, column, result_.first);
  }
  const std::uint64_t lines = Filter::lines_for(most, filter_bits_);
  Filter filter = std::move(Filter::make({&lines, 1}).front());
  ColumnWriter writer(files_, result_, column, filter);
  const Hash40 step = Hash40{1} << (kHashBits - coarse_bits);
  for (Hash40 base = 0; base < Hash40{1} << kHashBits; base += step) {
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
      const Seq seq = result_.first + offset;
      if (seq < expired_before_ || gone_.contains(seq)) continue;
      writer.add((base & ~kLow) | (posting >> 32), offset);
    }
  }
  for (const PageStream& stream : streams) stream.check_end();
  result_.columns[column] = writer.finish();
}

}  // namespace neardup
