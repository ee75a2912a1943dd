// The index of keywords for match-counts: segments, and a tail of the latest documents. It follows
// from the rows of the documents and may be behind them; nothing is lost with it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipeline/base/mutex.h"
#include "storage/similar/segment_writer.h"
#include "storage/similar/tail.h"
#include "storage/sketch_view.h"

namespace neardup {

// Writes the keywords of a document with a sketch.
using MakeKeywords = std::function<void(const DocumentRow&, std::uint16_t* keywords)>;

// The directory that holds the segments of the state in the directory `state`.
inline std::string keyword_index_directory(const std::string& state) { return state + "/similar"; }

struct StoredKeywords {
  SegmentKind kind;            // of one of the segments
  std::uint64_t segments = 0;  // 0: there are none
  std::uint64_t bytes = 0;
};

// The heads of the segments of a directory. They may be damaged.
StoredKeywords stored_keywords(const std::string& directory);

struct KeywordIndexOptions {
  std::string directory;   // of the segments; empty: they stay in memory
  bool read_only = false;  // new segments stay in memory
  SegmentKind kind;
  std::uint32_t least_documents = 1 << 14;               // a segment is made of so many
  std::uint32_t most_documents = kMostSegmentDocuments;  // segments are merged up to so many
};

// The input of a search: all documents with a sketch whose seqs are below `end`. Some have ended.
struct KeywordParts {
  std::vector<std::shared_ptr<const Segment>> segments;  // oldest first
  TailView tail;                                         // the documents after them
  Seq end = 0;
};

// Any thread may call this.
class KeywordIndex {
 public:
  // Opens the segments of the directory. Segments that are damaged, of another identity, or do not
  // follow on the ones before them are removed, unless `read_only`.
  KeywordIndex(KeywordIndexOptions options, MakeKeywords make);

  // Indexes the documents of the view that are not indexed yet. Throws Failure(kIo).
  void follow(const SketchView& view) EXCLUDES(mutex_);

  // Merges segments, and drops documents that have ended, where that is due. Does not keep others
  // from searching. Requires: `follow` was called with the view.
  void maintain(const SketchView& view) EXCLUDES(mutex_, maintaining_);

  // The same, and leaves no document that has ended.
  void compact(const SketchView& view) EXCLUDES(mutex_, maintaining_);

  // As of the latest `follow`.
  KeywordParts parts() const EXCLUDES(mutex_);

 private:
  using Segments = std::vector<std::shared_ptr<const Segment>>;
  // Neighbours.
  struct Choice {
    std::size_t from = 0;
    std::size_t count = 0;
  };

  void open_directory() REQUIRES(mutex_);
  void check_start(const SketchView& view) REQUIRES(mutex_);
  void index_rest(const SketchView& view) REQUIRES(mutex_);
  void add(const SketchView& view, std::span<const Seq> seqs) REQUIRES(mutex_);
  void make_room(Seq end) REQUIRES(mutex_);
  void freeze() REQUIRES(mutex_);
  // How many of the documents of a segment must have ended before it is rewritten.
  enum class Ended : std::uint8_t { kAThird, kAny };
  void merge(const SketchView& view, Ended ended) REQUIRES(maintaining_) EXCLUDES(mutex_);
  Choice choose(const Segments& segments, const SketchView& view, Ended ended) const;
  std::shared_ptr<const Segment> merged(std::span<const std::shared_ptr<const Segment>> sources,
                                        const SketchView& view) const;
  std::shared_ptr<const Segment> write(const SegmentRange& range, std::span<const Seq> seqs,
                                       const FillColumn& fill) const;
  bool writes() const { return !options_.directory.empty() && !options_.read_only; }
  std::string path_of(Seq first, Seq end) const;

  const KeywordIndexOptions options_;
  const MakeKeywords make_;
  Mutex maintaining_;  // taken before mutex_
  mutable Mutex mutex_;
  Segments segments_ GUARDED_BY(mutex_);  // oldest first; each begins where the one before ends
  Tail tail_ GUARDED_BY(mutex_);
  Seq frozen_to_ GUARDED_BY(mutex_) = 0;  // where the segments end
  Seq end_ GUARDED_BY(mutex_) = 0;        // all indexed seqs are smaller
  bool checked_ GUARDED_BY(mutex_) = false;
  bool frozen_ GUARDED_BY(mutex_) = true;  // segments were added since the last `maintain`
};

}  // namespace neardup
