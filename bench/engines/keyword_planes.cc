#include "bench/engines/keyword_planes.h"

#include <algorithm>
#include <cstring>

#include "pipeline/base/in_threads.h"

namespace neardup::bench {
namespace {

// A plane; with vector instructions a few of them do what a loop over its words would.
using Plane [[gnu::vector_size(sizeof(KeywordPlanes::Strings))]] = std::uint64_t;

// Numbers of the strings of a group, as planes, the lowest bits first.
template <std::size_t kBits>
struct Numbers {
  Plane planes[kBits] = {};

  // Adds `value` to those of the strings.
  void add(const Plane& strings, std::uint32_t value) {
    for (std::size_t bit = 0; value >> bit != 0; ++bit) {
      if ((value >> bit & 1) == 0) continue;
      Plane carry = strings;
      for (std::size_t i = bit; i < kBits; ++i) {
        const Plane next = planes[i] & carry;
        planes[i] ^= carry;
        carry = next;
      }
    }
  }

  void find_equal(std::uint32_t value, Plane& equal) const {
    equal = ~Plane{};
    for (std::size_t i = 0; i < kBits; ++i) {
      equal &= (value >> i & 1) != 0 ? planes[i] : ~planes[i];
    }
  }

  void find_at_least(std::uint32_t value, Plane& above) const {
    above = ~Plane{};
    for (std::size_t i = 0; i < kBits; ++i) {
      above = (value >> i & 1) != 0 ? planes[i] & above : planes[i] | above;
    }
  }
};

// The first `count` strings of a group.
KeywordPlanes::Strings first_strings(std::size_t count) {
  KeywordPlanes::Strings strings{};
  for (std::size_t i = 0; i < count; ++i) strings[i / 64] |= std::uint64_t{1} << (i % 64);
  return strings;
}

}  // namespace

KeywordPlanes::KeywordPlanes(const BitKeywords& keywords, const std::uint64_t* rows,
                             std::uint32_t count, std::size_t words, std::uint32_t threads)
    : bits_(keywords.bits()),
      count_(count),
      groups_((count + kGroup - 1) / kGroup),
      planes_each_(std::size_t{keywords.functions()} * bits_),
      planes_(groups_ * planes_each_) {
  share_out(groups_, threads, [&](std::size_t, std::size_t group) {
    Strings* planes = planes_.data() + group * planes_each_;
    const std::size_t begin = group * kGroup;
    for (std::size_t i = 0; i < std::min<std::size_t>(count - begin, kGroup); ++i) {
      for (std::uint32_t f = 0; f < keywords.functions(); ++f) {
        const std::uint64_t keyword = keywords.of(rows + (begin + i) * words, f);
        for (std::uint32_t bit = 0; bit < bits_; ++bit) {
          planes[f * bits_ + bit][i / 64] |= (keyword >> bit & 1) << (i % 64);
        }
      }
    }
  });
}

KeywordPlanes::Strings KeywordPlanes::reached(std::size_t group, std::uint32_t first,
                                              std::span<const std::uint32_t> query,
                                              const KeywordScores& scores) const {
  Numbers<5> sums;
  Plane plane;
  const Strings* planes = planes_.data() + group * planes_each_ + first * bits_;
  for (const std::uint32_t keyword : query) {
    Numbers<3> errors;
    for (std::uint32_t bit = 0; bit < bits_; ++bit) {
      std::memcpy(&plane, planes++, sizeof plane);
      errors.add((keyword >> bit & 1) != 0 ? ~plane : plane, 1);
    }
    for (std::uint32_t r = 0; r <= scores.errors; ++r) {
      errors.find_equal(r, plane);
      sums.add(plane, scores.heaviest - r);
    }
  }
  sums.find_at_least(scores.gate, plane);
  Strings strings;
  std::memcpy(&strings, &plane, sizeof strings);
  const std::size_t left = count_ - group * kGroup;
  if (left >= kGroup) return strings;
  const Strings there = first_strings(left);
  for (std::size_t i = 0; i < strings.size(); ++i) strings[i] &= there[i];
  return strings;
}

}  // namespace neardup::bench
