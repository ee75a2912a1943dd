// The groups of the documents of a flags file (docs/groups.md).
//
// A flags file is a log: the flag of an id with the largest seq says what the id is now, or that it
// is deleted. A document belongs to the group of the version that its flag names as the original,
// or, if it repeats none, to its own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "service/groups/flags_reader.h"
#include "service/groups/prefer.h"

namespace neardup {

// Names of documents, one after another.
class NameTable {
 public:
  struct Name {
    std::string_view name_space;
    std::string_view id;
    bool operator==(const Name&) const = default;
  };

  // Its place.
  std::uint64_t add(const Name& name);
  // Valid until the next `add`.
  Name at(std::uint64_t place) const;

 private:
  std::string bytes_;
};

// Throws Failure(kUnreadable): the flags name two documents of one seq.
[[noreturn]] void refuse_several_states(Seq seq, const NameTable::Name& a,
                                        const NameTable::Name& b);

struct Member {
  Seq seq = 0;
  Seq group = 0;           // seq of the original; 0: the id is deleted
  std::uint64_t hash = 0;  // of the name
  std::uint64_t name = 0;  // place in the table
  Facts facts;
};

struct Group {
  NameTable::Name original;
  Seq seq = 0;                      // of the original
  std::span<const Member> members;  // in the order of seq; the original first, if it is one
  std::size_t first = 0;            // place of the first one among all members
};

class Grouping {
 public:
  // Flags may come in any order, and more than once; `unchanged` and `rejected` ones change no
  // document and are skipped. Throws Failure(kUnreadable) when they cannot be of one state.
  void add(const FlagLine& flag);

  // To be called once, after all flags; all that follows needs it. Forgets documents that are alone
  // in their group. Throws as `add`.
  void finish();

  std::span<Member> members() { return members_; }
  // The place of a document among all members, or nothing.
  std::optional<std::size_t> find(const NameTable::Name& name) const;
  NameTable::Name name_of(const Member& member) const { return names_.at(member.name); }

  // Calls `take` with each group, in the order of seq.
  void each(const std::function<void(const Group&)>& take) const;

 private:
  void keep_latest();
  void keep_groups();
  void require_one_state() const;
  void index_names();

  NameTable names_;
  std::vector<Member> members_;                       // before `finish`: the flags
  std::unordered_map<Seq, std::uint64_t> originals_;  // → the place of its name
  std::vector<std::uint32_t> by_hash_;                // places of members
};

}  // namespace neardup
