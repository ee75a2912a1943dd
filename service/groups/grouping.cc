#include "service/groups/grouping.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "storage/bytes.h"

namespace neardup {
namespace {

std::uint64_t hash_of(const NameTable::Name& name) {
  const std::hash<std::string_view> hash;
  return hash(name.id) * 31 + hash(name.name_space);
}

// Calls `take` with each run of members that `same` holds for.
template <class Members, class Same, class Take>
void each_run(Members members, const Same& same, const Take& take) {
  for (auto begin = members.begin(); begin != members.end();) {
    const auto end = std::find_if_not(begin, members.end(),
                                      [&](const Member& member) { return same(*begin, member); });
    take(Members(begin, end));
    begin = end;
  }
}

bool same_group(const Member& a, const Member& b) { return a.group == b.group; }

}  // namespace

void refuse_several_states(Seq seq, const NameTable::Name& a, const NameTable::Name& b) {
  throw Failure(Exit::kUnreadable,
                fmt::format("seq {} is the document {} and also {}: the flags are of several "
                            "states; give the flags files of one state only",
                            seq, json_text(a.id), json_text(b.id)));
}

std::uint64_t NameTable::add(const Name& name) {
  const std::uint64_t place = bytes_.size();
  ByteWriter writer(bytes_);
  writer.bytes(name.name_space);
  writer.bytes(name.id);
  return place;
}

NameTable::Name NameTable::at(std::uint64_t place) const {
  ByteReader reader(std::string_view(bytes_).substr(place));
  const std::string_view name_space = reader.bytes();
  return {name_space, reader.bytes()};
}

void Grouping::add(const FlagLine& flag) {
  if (flag.status == Status::kUnchanged || flag.status == Status::kRejected) return;
  const NameTable::Name name{flag.name_space, flag.id};
  Member& member = members_.emplace_back();
  member.seq = flag.seq;
  member.hash = hash_of(name);
  member.name = names_.add(name);
  member.facts = flag.facts;
  if (flag.status == Status::kDeleted) return;
  member.group = flag.original == 0 ? flag.seq : flag.original;
  if (flag.original == 0) return;
  const NameTable::Name original{flag.name_space, flag.original_id};
  const auto known = originals_.find(flag.original);
  if (known == originals_.end()) {
    originals_.emplace(flag.original, names_.add(original));
  } else if (names_.at(known->second) != original) {
    refuse_several_states(flag.original, names_.at(known->second), original);
  }
}

void Grouping::finish() {
  keep_latest();
  keep_groups();
  members_.shrink_to_fit();
  require_one_state();
  index_names();
}

void Grouping::keep_latest() {
  const auto order = [&](const Member& a, const Member& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    const NameTable::Name x = name_of(a), y = name_of(b);
    return std::tie(x.id, x.name_space, a.seq) < std::tie(y.id, y.name_space, b.seq);
  };
  const auto same = [&](const Member& a, const Member& b) {
    return a.hash == b.hash && name_of(a) == name_of(b);
  };
  std::ranges::sort(members_, order);
  auto kept = members_.begin();
  each_run(std::span(members_), same, [&](std::span<Member> versions) {
    if (versions.back().group != 0) *kept++ = versions.back();
  });
  members_.erase(kept, members_.end());
}

void Grouping::keep_groups() {
  std::ranges::sort(members_, {}, [](const Member& m) { return std::tuple(m.group, m.seq); });
  auto kept = members_.begin();
  each_run(std::span(members_), same_group, [&](std::span<Member> group) {
    if (group.size() > 1) kept = std::copy(group.begin(), group.end(), kept);
  });
  members_.erase(kept, members_.end());
}

void Grouping::require_one_state() const {
  each([&](const Group& group) {
    const Member* before = nullptr;
    for (const Member& member : group.members) {
      const NameTable::Name name = name_of(member);
      if (member.seq == group.seq && name != group.original)
        refuse_several_states(member.seq, group.original, name);
      if (before != nullptr && before->seq == member.seq) {
        refuse_several_states(member.seq, name_of(*before), name);
      }
      before = &member;
    }
  });
}

void Grouping::index_names() {
  by_hash_.resize(members_.size());
  std::iota(by_hash_.begin(), by_hash_.end(), 0);
  std::ranges::sort(by_hash_, {}, [&](std::uint32_t place) { return members_[place].hash; });
}

std::optional<std::size_t> Grouping::find(const NameTable::Name& name) const {
  const auto range = std::ranges::equal_range(
      by_hash_, hash_of(name), {}, [&](std::uint32_t place) { return members_[place].hash; });
  for (const std::uint32_t place : range) {
    if (name_of(members_[place]) == name) return place;
  }
  return {};
}

void Grouping::each(const std::function<void(const Group&)>& take) const {
  std::size_t first = 0;
  each_run(std::span(members_), same_group, [&](std::span<const Member> members) {
    const Seq seq = members.front().group;
    const auto named = originals_.find(seq);
    const NameTable::Name original =
        named == originals_.end() ? name_of(members.front()) : names_.at(named->second);
    take({original, seq, members, first});
    first += members.size();
  });
}

}  // namespace neardup
