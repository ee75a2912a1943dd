#include <algorithm>
#include <optional>

#include "service/state/differences.h"

namespace neardup {
namespace {

using Elements = std::span<const std::uint32_t>;
using Distance = std::int64_t;

// One range of each sequence.
struct Area {
  ElementRange a;
  ElementRange b;
};

// The furthest points of the paths from one corner, by diagonal.
class Frontier {
 public:
  void reset(Distance diagonals) {
    offset_ = diagonals + 1;
    furthest_.assign(static_cast<std::size_t>(2 * offset_ + 1), 0);
  }
  Distance& at(Distance diagonal) {
    return furthest_[static_cast<std::size_t>(diagonal + offset_)];
  }

 private:
  Distance offset_ = 0;
  std::vector<Distance> furthest_;
};

class Differ {
 public:
  Differ(Elements a, Elements b, std::size_t kinds, std::size_t steps)
      : a_(a), b_(b), counts_(kinds), steps_(steps), search_steps_(steps / kSearches) {}

  EditScript run() {
    solve({{0, a_.size()}, {0, b_.size()}});
    return std::move(script_);
  }

 private:
  struct Point {
    std::size_t a;
    std::size_t b;
  };
  // How often an element occurs in an area, up to 2, and where in B.
  struct Count {
    std::uint8_t in_a = 0;
    std::uint8_t in_b = 0;
    std::uint32_t at_b = 0;
  };

  static constexpr std::size_t kSearches = 3;  // that may fail before all steps are used

  void solve(Area area) {
    trim(area);
    if (area.a.size() == 0 && area.b.size() == 0) return;
    if (area.a.size() == 0 || area.b.size() == 0) return add(area);
    if (const auto middle = middle_of(area)) return split(area, {*middle});
    script_.shortest = false;
    const auto anchors = anchors_of(area);
    if (anchors.empty()) return add(area);
    split(area, anchors);
  }

  void split(const Area& area, const std::vector<Point>& at) {
    Point from{area.a.begin, area.b.begin};
    for (const Point& point : at) {
      solve({{from.a, point.a}, {from.b, point.b}});
      from = point;
    }
    solve({{from.a, area.a.end}, {from.b, area.b.end}});
  }

  void trim(Area& area) const {
    auto& [a, b] = area;
    while (a.size() > 0 && b.size() > 0 && a_[a.begin] == b_[b.begin]) ++a.begin, ++b.begin;
    while (a.size() > 0 && b.size() > 0 && a_[a.end - 1] == b_[b.end - 1]) --a.end, --b.end;
  }

  void add(const Area& area) {
    auto& changes = script_.changes;
    if (!changes.empty() && changes.back().a.end == area.a.begin &&
        changes.back().b.end == area.b.begin) {
      changes.back().a.end = area.a.end;
      changes.back().b.end = area.b.end;
    } else {
      changes.push_back({area.a, area.b});
    }
  }

  // A point of a shortest path, which is none of its ends. Nothing: the search reached its bound.
  // Requires: the area is trimmed, and neither range is empty.
  std::optional<Point> middle_of(const Area& area);
  // One step of the paths from the begin (or from the end, looking backwards) of an area. Returns
  // the point at which they meet those from the other side.
  std::optional<Point> extend(const Area& area, Distance edits, bool backwards);

  std::vector<Point> anchors_of(const Area& area);
  void count(const Area& area);

  const Elements a_;
  const Elements b_;
  std::vector<Count> counts_;
  Frontier forward_;
  Frontier backward_;
  std::size_t steps_;
  const std::size_t search_steps_;
  EditScript script_;
};

std::optional<Differ::Point> Differ::middle_of(const Area& area) {
  const auto most = static_cast<Distance>(area.a.size() + area.b.size() + 1) / 2;
  const std::size_t stop = steps_ - std::min(steps_, search_steps_);
  // Edits up to the square root of the steps are reached; memory is for these alone.
  Distance reach = 1;
  while (reach < most && static_cast<std::size_t>(reach * reach) < search_steps_) reach *= 2;
  reach = std::min(reach, most);
  forward_.reset(reach);
  backward_.reset(reach);
  for (Distance edits = 0; edits <= reach && steps_ > stop; ++edits) {
    if (const auto met = extend(area, edits, false)) return met;
    if (const auto met = extend(area, edits, true)) return met;
  }
  return {};
}

std::optional<Differ::Point> Differ::extend(const Area& area, Distance edits, bool backwards) {
  const auto n = static_cast<Distance>(area.a.size());
  const auto m = static_cast<Distance>(area.b.size());
  const auto equal = [&](Distance x, Distance y) {
    const auto [i, j] = std::pair{static_cast<std::size_t>(x), static_cast<std::size_t>(y)};
    return backwards ? a_[area.a.end - 1 - i] == b_[area.b.end - 1 - j]
                     : a_[area.a.begin + i] == b_[area.b.begin + j];
  };
  Frontier& mine = backwards ? backward_ : forward_;
  Frontier& other = backwards ? forward_ : backward_;
  const Distance theirs = backwards ? edits : edits - 1;  // edits of the other side so far
  const Distance last = edits - 2 * std::max<Distance>(0, edits - n);
  for (Distance k = 2 * std::max<Distance>(0, edits - m) - edits; k <= last; k += 2) {
    const bool down = k == -edits || (k != edits && mine.at(k - 1) < mine.at(k + 1));
    Distance x = down ? mine.at(k + 1) : mine.at(k - 1) + 1;
    const Distance from = x;
    while (x < n && x - k < m && equal(x, x - k)) ++x;
    mine.at(k) = x;
    steps_ -= std::min(steps_, static_cast<std::size_t>(x - from + 1));
    const Distance across = n - m - k;
    const bool may_meet = ((n - m) % 2 != 0) != backwards;
    if (!may_meet || across < -theirs || across > theirs || x + other.at(across) < n) continue;
    const auto [i, j] = std::pair{static_cast<std::size_t>(x), static_cast<std::size_t>(x - k)};
    return backwards ? Point{area.a.end - i, area.b.end - j}
                     : Point{area.a.begin + i, area.b.begin + j};
  }
  return {};
}

void Differ::count(const Area& area) {
  const auto more = [](std::uint8_t& count) { count = count == 0 ? 1 : 2; };
  for (std::size_t i = area.a.begin; i < area.a.end; ++i) counts_[a_[i]] = {};
  for (std::size_t j = area.b.begin; j < area.b.end; ++j) counts_[b_[j]] = {};
  for (std::size_t i = area.a.begin; i < area.a.end; ++i) more(counts_[a_[i]].in_a);
  for (std::size_t j = area.b.begin; j < area.b.end; ++j) {
    more(counts_[b_[j]].in_b);
    counts_[b_[j]].at_b = static_cast<std::uint32_t>(j);
  }
}

// The most elements that occur once in each and are in the same order: the longest increasing
// subsequence of their places. None where no step is left.
std::vector<Differ::Point> Differ::anchors_of(const Area& area) {
  const std::size_t cost = area.a.size() + area.b.size();
  if (steps_ < cost) return {};
  steps_ -= cost;
  count(area);
  std::vector<Point> once;
  std::vector<std::size_t> before;  // of each of `once`, or its own place: none
  std::vector<std::size_t> ends;    // of the best subsequence of each length
  for (std::size_t i = area.a.begin; i < area.a.end; ++i) {
    const Count& found = counts_[a_[i]];
    if (found.in_a != 1 || found.in_b != 1) continue;
    const auto place = std::ranges::lower_bound(ends, std::size_t{found.at_b}, {},
                                                [&](std::size_t end) { return once[end].b; });
    before.push_back(place == ends.begin() ? once.size() : *(place - 1));
    const std::size_t self = once.size();
    once.push_back({i, found.at_b});
    if (place == ends.end()) {
      ends.push_back(self);
    } else {
      *place = self;
    }
  }
  std::vector<Point> anchors;
  for (std::size_t at = ends.empty() ? once.size() : ends.back(); at < once.size();) {
    anchors.push_back(once[at]);
    if (before[at] == at) break;
    at = before[at];
  }
  std::ranges::reverse(anchors);
  return anchors;
}

}  // namespace

EditScript edit_script(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                       std::size_t kinds, std::size_t steps) {
  return Differ(a, b, kinds, steps).run();
}

}  // namespace neardup
