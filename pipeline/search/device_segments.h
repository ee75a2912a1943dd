// The segments of an index of keywords that a device holds, with the 1-bit sketches of their
// documents.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gpu/search/device_postings.h"
#include "storage/similar/keyword_index.h"
#include "storage/sketch_view.h"

namespace neardup {

// To be called by one thread at a time. Every call throws DeviceFailure as the postings do.
class DeviceSegments {
 public:
  // 1-bit sketches have `words_each` words.
  DeviceSegments(std::unique_ptr<DevicePostings> postings, std::uint32_t words_each)
      : postings_(std::move(postings)), words_each_(words_each) {}

  // Holds those of the segments for which there is memory, the first ones first, and no others.
  // Documents that the view does not have count as near in later searches, too.
  void follow(std::span<const std::shared_ptr<const Segment>> segments, const SketchView& view);

  bool holds(const Segment& segment) const { return held_.contains(&segment); }

  // As DevicePostings::reach. Requires: the segment is held.
  std::vector<std::optional<DevicePostings::Places>> reach(const Segment& segment,
                                                           const MatchQueries& queries) {
    return postings_->reach(key(segment), queries);
  }

 private:
  static DevicePostings::Key key(const Segment& segment) {
    return reinterpret_cast<DevicePostings::Key>(&segment);
  }
  void hold(const Segment& segment, const SketchView& view);

  std::unique_ptr<DevicePostings> postings_;
  std::uint32_t words_each_;
  std::map<const Segment*, std::shared_ptr<const Segment>> held_;
};

}  // namespace neardup
