#include "pipeline/search/device_segments.h"

#include <algorithm>

namespace neardup {

void DeviceSegments::follow(std::span<const std::shared_ptr<const Segment>> segments,
                            const SketchView& view) {
  std::erase_if(held_, [&](const auto& held) {
    if (std::ranges::find(segments, held.second) != segments.end()) return false;
    postings_->drop(key(*held.first));
    return true;
  });
  for (const auto& segment : segments) {
    if (holds(*segment)) continue;
    if (!postings_->has_room(segment->postings())) return;
    hold(*segment, view);
    held_.emplace(segment.get(), segment);
  }
}

void DeviceSegments::hold(const Segment& segment, const SketchView& view) {
  const std::uint32_t documents = segment.documents();
  std::vector<Seq> seqs(documents);
  for (std::uint32_t place = 0; place < documents; ++place) seqs[place] = segment.seq(place);
  std::vector<std::uint64_t> one_bits(std::size_t{documents} * words_each_);
  std::vector<std::uint32_t> unknown(documents / 32 + 1);
  view.look_up(seqs, [&](std::size_t place, NamespaceTag tag, const std::uint64_t* words) {
    if (tag == 0) {  // an older view may have it
      unknown[place / 32] |= std::uint32_t{1} << place % 32;
    } else {
      std::copy_n(words, words_each_, one_bits.data() + place * words_each_);
    }
  });
  postings_->hold(key(segment), {segment.postings(), one_bits.data(), unknown.data()});
}

}  // namespace neardup
