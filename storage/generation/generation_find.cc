#include <algorithm>
#include <array>
#include <memory>

#include "storage/generation/generation.h"

namespace neardup {
namespace {

using rocksdb::PinnableSlice;
using rocksdb::Slice;

constexpr std::size_t kPagesAtOnce = 64;

// Look-ups in one generation, a page at a time.
class PageFinder {
 public:
  using Visit = std::function<bool(std::uint32_t, Seq)>;

  PageFinder(const RocksdbState& state, const Manifest& manifest, std::span<const Probe> probes,
             Seq after, const Visit& visit)
      : state_(state), manifest_(manifest), probes_(probes), after_(after), visit_(visit) {}

  // Places of probes in the same page.
  struct Group {
    std::span<const std::uint32_t> places;
    std::string key;
  };

  bool same_page(std::uint32_t a, std::uint32_t b) const {
    return probes_[a].column == probes_[b].column && prefix(a) == prefix(b);
  }
  std::string key(std::uint32_t place) const {
    return encode_page_key(manifest_.generation, probes_[place].column, prefix(place));
  }

  void read(std::span<const Group> groups) {
    std::array<Slice, kPagesAtOnce> keys;
    std::array<PinnableSlice, kPagesAtOnce> values;
    std::array<rocksdb::Status, kPagesAtOnce> statuses;
    for (std::size_t i = 0; i < groups.size(); ++i) keys[i] = groups[i].key;
    constexpr bool kSorted = true;
    state_.db().MultiGet({}, state_.family(Family::kIndex), groups.size(), keys.data(),
                         values.data(), statuses.data(), kSorted);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (statuses[i].IsNotFound()) continue;
      state_.check(statuses[i], "looking up a bucket");
      const auto page = decode_page(values[i].ToStringView());
      if (!page) state_.damaged("a page of the index");
      for (const std::uint32_t place : groups[i].places) search(*page, place, groups[i].key);
    }
  }

 private:
  std::uint32_t prefix(std::uint32_t place) const {
    return prefix_of(probes_[place].hash, manifest_.prefix_bits);
  }

  void search(const Page& page, std::uint32_t place, const std::string& key) {
    const std::uint32_t rest = rest_of(probes_[place].hash, manifest_.prefix_bits);
    std::size_t low = 0;
    for (std::size_t count = page.size(); count > 0;) {
      const std::size_t half = count / 2;
      const bool right = page.rest[low + half] < rest;
      low += right ? half + 1 : 0;
      count = right ? count - half - 1 : half;
    }
    for (; low < page.size() && page.rest[low] == rest; ++low) {
      if (page.offset[low] == kLongList) return search_lists(place, key);
      const Seq seq = manifest_.first + page.offset[low];
      if (seq > after_ && !visit_(place, seq)) return;
    }
  }

  void search_lists(std::uint32_t place, const std::string& page_key) {
    const Hash40 hash = probes_[place].hash;
    const std::string first = encode_list_key(page_key, hash, 0);
    const std::string_view same_hash(first.data(), first.size() - sizeof(std::uint32_t));
    const Seq from = after_ < manifest_.first ? 0 : after_ + 1 - manifest_.first;
    const auto least = static_cast<std::uint32_t>(std::min<Seq>(from, kLongList));
    if (at_ == nullptr) at_.reset(state_.db().NewIterator({}, state_.family(Family::kIndex)));
    // The list that has `least` begins at or before it.
    at_->SeekForPrev(Slice(encode_list_key(page_key, hash, least)));
    const auto is_at_list = [&] {
      return at_->Valid() && at_->key().ToStringView().starts_with(same_hash);
    };
    if (!is_at_list()) at_->Seek(Slice(first));
    state_.check(at_->status(), "looking up a bucket");
    if (!is_at_list()) state_.damaged("a bucket of the index");
    for (; is_at_list(); at_->Next()) {
      const auto offsets = decode_list(at_->value().ToStringView());
      if (!offsets) state_.damaged("a bucket of the index");
      for (std::size_t i = 0; i < offsets->size(); ++i) {
        if ((*offsets)[i] >= least && !visit_(place, manifest_.first + (*offsets)[i])) return;
      }
    }
    state_.check(at_->status(), "looking up a bucket");
  }

  const RocksdbState& state_;
  const Manifest& manifest_;
  std::span<const Probe> probes_;
  Seq after_;
  const Visit& visit_;
  std::unique_ptr<rocksdb::Iterator> at_;
};

}  // namespace

void find_in_pages(const RocksdbState& state, const Manifest& manifest,
                   std::span<const Probe> probes, std::vector<std::uint32_t>& places, Seq after,
                   const std::function<bool(std::uint32_t, Seq)>& visit) {
  std::sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Probe& x = probes[a];
    const Probe& y = probes[b];
    return x.column != y.column ? x.column < y.column : x.hash < y.hash;
  });
  PageFinder finder(state, manifest, probes, after, visit);
  std::vector<PageFinder::Group> groups;
  for (std::size_t begin = 0; begin < places.size();) {
    std::size_t end = begin + 1;
    while (end < places.size() && finder.same_page(places[begin], places[end])) ++end;
    groups.push_back({std::span(places).subspan(begin, end - begin), finder.key(places[begin])});
    begin = end;
    if (groups.size() == kPagesAtOnce || begin == places.size()) {
      finder.read(groups);
      groups.clear();
    }
  }
}

}  // namespace neardup
