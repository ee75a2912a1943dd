#include "storage/similar/keyword_index.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "pipeline/base/failure.h"
#include "storage/store.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kIndexedAtOnce = 1024;
constexpr std::size_t kSegmentsMerged = 4;

// Calls visit(place, seq) for the documents of the segment that are in the view.
template <class Visit>
void visit_live(const Segment& segment, const SketchView& view, const Visit& visit) {
  std::uint32_t place = 0;
  view.visit(segment.first(), segment.end(), [&](const SketchBlock& block) {
    const Seq end = block.first + block.count;
    for (; place < segment.documents() && segment.seq(place) < end; ++place) {
      const Seq seq = segment.seq(place);
      if (seq >= block.first && block.tags[seq - block.first] != 0) visit(place, seq);
    }
    return place < segment.documents();
  });
}

std::uint32_t live_documents(const Segment& segment, const SketchView& view) {
  std::uint32_t live = 0;
  visit_live(segment, view, [&](std::uint32_t, Seq) { ++live; });
  return live;
}

}  // namespace

StoredKeywords stored_keywords(const std::string& directory) {
  StoredKeywords stored;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    const std::optional<SegmentKind> kind = Segment::kind_of(entry.path());
    const std::uintmax_t bytes = entry.file_size(error);
    if (!kind || error) continue;
    stored.kind = *kind;
    ++stored.segments;
    stored.bytes += bytes;
  }
  return stored;
}

KeywordIndex::KeywordIndex(KeywordIndexOptions options, MakeKeywords make)
    : options_(std::move(options)), make_(std::move(make)), tail_(options_.kind.keywords) {
  const MutexLock lock(mutex_);
  if (!options_.directory.empty()) open_directory();
}

std::string KeywordIndex::path_of(Seq first, Seq end) const {
  return options_.directory + "/" + fmt::format("{}-{}", first, end);
}

void KeywordIndex::open_directory() {
  std::error_code error;
  if (writes()) fs::create_directories(options_.directory, error);
  Segments found;
  std::vector<fs::path> useless;
  for (const fs::directory_entry& entry : fs::directory_iterator(options_.directory, error)) {
    auto segment = Segment::open(entry.path(), options_.kind);
    const bool named = segment && entry.path() == path_of(segment->first(), segment->end());
    if (named) {
      found.push_back(std::move(segment));
    } else {
      useless.push_back(entry.path());
    }
  }
  // Of a merge that was interrupted, the result comes before its sources.
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a->first() != b->first() ? a->first() < b->first() : a->end() > b->end();
  });
  for (auto& segment : found) {
    if (segments_.empty() || segment->first() == segments_.back()->end()) {
      segments_.push_back(std::move(segment));
    } else {
      useless.push_back(path_of(segment->first(), segment->end()));
    }
  }
  if (writes()) {
    for (const fs::path& path : useless) fs::remove(path, error);
  }
  if (!segments_.empty()) end_ = frozen_to_ = segments_.back()->end();
}

// Documents before the first segment: its neighbour was lost.
void KeywordIndex::check_start(const SketchView& view) {
  if (std::exchange(checked_, true) || segments_.empty()) return;
  bool lost = false;
  view.visit(0, segments_.front()->first(), [&](const SketchBlock& block) {
    lost = std::any_of(block.tags, block.tags + block.count, [](auto tag) { return tag != 0; });
    return !lost;
  });
  if (!lost) return;
  segments_.clear();
  end_ = frozen_to_ = 0;
}

void KeywordIndex::follow(const SketchView& view) {
  const MutexLock lock(mutex_);
  check_start(view);
  if (end_ < view.end()) index_rest(view);
  if (tail_.view().size() >= options_.least_documents) make_room(end_);
}

void KeywordIndex::index_rest(const SketchView& view) {
  if (tail_.full()) make_room(view.end());
  std::vector<Seq> seqs;
  while (end_ < view.end()) {
    seqs.clear();
    Seq next = view.end();
    view.visit(end_, view.end(), [&](const SketchBlock& block) {
      for (std::uint32_t i = 0; i < block.count; ++i) {
        if (block.tags[i] != 0) seqs.push_back(block.first + i);
      }
      if (seqs.size() < kIndexedAtOnce) return true;
      next = block.first + block.count;
      return false;
    });
    add(view, seqs);
    end_ = next;
  }
}

void KeywordIndex::add(const SketchView& view, std::span<const Seq> seqs) {
  std::vector<std::optional<DocumentRow>> rows;
  std::vector<std::uint16_t> keywords(options_.kind.keywords);
  while (!seqs.empty()) {
    if (tail_.full()) make_room(view.end());
    const auto part = seqs.first(std::min({tail_.room(), kIndexedAtOnce, seqs.size()}));
    view.documents(part, rows);
    for (const std::optional<DocumentRow>& row : rows) {
      if (!row || row->sketch.empty()) continue;  // it has ended since the view was made
      make_(*row, keywords.data());
      tail_.add(row->seq, keywords.data());
      end_ = row->seq + 1;
    }
    seqs = seqs.subspan(part.size());
  }
}

// The documents of the tail become a segment. While many documents are not indexed yet, the next
// segment is as large as the result of merges would be.
void KeywordIndex::make_room(Seq end) {
  if (tail_.view().size() != 0) freeze();
  tail_.clear(std::clamp<Seq>(end - end_, options_.least_documents, options_.most_documents));
}

void KeywordIndex::freeze() {
  const TailView& tail = tail_.view();
  const SegmentRange range{frozen_to_, tail.seqs().back() + 1, options_.kind};
  segments_.push_back(write(
      range, tail.seqs(), column_of_values([&](auto position) { return tail.column(position); })));
  frozen_to_ = range.end;
  frozen_ = true;
}

std::shared_ptr<const Segment> KeywordIndex::write(const SegmentRange& range,
                                                   std::span<const Seq> seqs,
                                                   const FillColumn& fill) const {
  if (!writes()) {
    return Segment::parse(make_segment(range, seqs, fill), options_.kind);
  }
  const std::string path = path_of(range.first, range.end);
  write_segment(path, range, seqs, fill);
  auto segment = Segment::open(path, options_.kind);
  if (!segment) throw Failure(Exit::kIo, fmt::format("{} cannot be read back", path));
  return segment;
}

// The neighbours to merge next: kSegmentsMerged of a size or more, or as many as fill a segment.
KeywordIndex::Choice KeywordIndex::choose(const Segments& segments, const SketchView& view,
                                          Ended ended) const {
  std::vector<std::uint64_t> live;
  for (const auto& segment : segments) live.push_back(live_documents(*segment, view));
  for (std::size_t from = 0; from < segments.size(); ++from) {
    const std::uint64_t size = std::max<std::uint64_t>(live[from], options_.least_documents);
    std::size_t count = 1;
    std::size_t smaller = 1;  // how many of them are not much larger than the first
    std::uint64_t together = live[from];
    while (from + count < segments.size() &&
           together + live[from + count] <= options_.most_documents) {
      if (smaller == count && live[from + count] < kSegmentsMerged * size) ++smaller;
      together += live[from + count++];
    }
    const bool fills = together + options_.least_documents > options_.most_documents;
    if (count > 1 && (fills || live[from] == 0)) return {from, count};
    if (smaller >= kSegmentsMerged) return {from, smaller};
    const std::uint64_t all = segments[from]->documents();
    if (ended == Ended::kAny ? live[from] < all : live[from] * 3 < all * 2) return {from, 1};
  }
  return {};
}

std::shared_ptr<const Segment> KeywordIndex::merged(
    std::span<const std::shared_ptr<const Segment>> sources, const SketchView& view) const {
  std::vector<Seq> seqs;
  std::vector<std::vector<std::uint32_t>> places(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    places[i].assign(sources[i]->documents(), kDropped);
    visit_live(*sources[i], view, [&](std::uint32_t place, Seq seq) {
      places[i][place] = static_cast<std::uint32_t>(seqs.size());
      seqs.push_back(seq);
    });
  }
  const SegmentRange range{sources.front()->first(), sources.back()->end(), options_.kind};
  return write(range, seqs, column_of_segments(sources, places));
}

void KeywordIndex::maintain(const SketchView& view) {
  const MutexLock maintaining(maintaining_);
  {
    const MutexLock lock(mutex_);
    if (!std::exchange(frozen_, false)) return;
  }
  merge(view, Ended::kAThird);
  // Another thread may have added segments that are too new for this view.
  const MutexLock lock(mutex_);
  if (!segments_.empty() && segments_.back()->end() > view.end()) frozen_ = true;
}

void KeywordIndex::compact(const SketchView& view) {
  const MutexLock maintaining(maintaining_);
  merge(view, Ended::kAny);
}

void KeywordIndex::merge(const SketchView& view, Ended ended) {
  for (;;) {
    Segments segments = parts().segments;
    // To this view, later documents look as if they had ended.
    while (!segments.empty() && segments.back()->end() > view.end()) segments.pop_back();
    const Choice choice = choose(segments, view, ended);
    if (choice.count == 0) return;
    const auto sources = std::span(segments).subspan(choice.from, choice.count);
    auto segment = merged(sources, view);
    {
      const MutexLock lock(mutex_);
      const auto first = segments_.begin() + static_cast<std::ptrdiff_t>(choice.from);
      *first = std::move(segment);
      segments_.erase(first + 1, first + static_cast<std::ptrdiff_t>(choice.count));
    }
    if (!writes() || choice.count == 1) continue;  // a single file was replaced
    std::error_code ignored;
    for (const auto& source : sources) fs::remove(path_of(source->first(), source->end()), ignored);
  }
}

KeywordParts KeywordIndex::parts() const {
  const MutexLock lock(mutex_);
  return {segments_, tail_.view(), end_};
}

}  // namespace neardup
