// Flags of a call, in the order of its texts: encoded (pipeline/model/flag.h), some 30 bytes each.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pipeline/model/flag.h"
#include "python/binding/arrow.h"
#include "service/records/flag_writer.h"

namespace neardup {

// A value of a flag; no value where the flag has none. Strings are views into the flag.
using FlagValue = std::variant<std::monostate, bool, std::uint64_t, double, std::string_view>;

// A field of flags as a column, in the order of the record (docs/formats/records.md).
struct FlagColumn {
  const char* name;
  const char* arrow_format;
  FlagValue (*of)(const Flag& flag, bool kept);
};
inline constexpr std::size_t kFlagColumns = 14;
extern const std::array<FlagColumn, kFlagColumns> kFlagFields;

// Whether the document is one to keep: it is no copy, as `output.mode: filter` decides; of
// `unchanged` with a verdict, whether it was kept when it was stored.
bool is_kept(const Flag& flag);

class FlagList {
 public:
  // `rule`, `threshold`, `seq`: as FlagWriter.
  FlagList(std::string rule, Ppm threshold, FlagSeq seq)
      : rule_(std::move(rule)), threshold_(threshold), seq_(seq) {}

  void add(const Flag& flag);
  // Appends those of the same rule. Throws BadInput for another one.
  void extend(const FlagList& more);

  std::size_t size() const { return ends_.size(); }
  // Requires: i < size(). Without url, text_bytes and verdict.
  Flag at(std::size_t i) const;
  bool kept(std::size_t i) const { return kept_[i]; }

  // Calls visit(flag, kept) for each.
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t i = 0; i < size(); ++i) visit(at(i), kept(i));
  }

  // As `neardup scan` writes them, but "source":{"row":…}.
  std::string lines() const;

  const std::string& rule() const { return rule_; }
  Ppm threshold() const { return threshold_; }
  FlagSeq seq() const { return seq_; }
  const StatusCounts& counts() const { return counts_; }

 private:
  std::string rule_;
  Ppm threshold_;
  FlagSeq seq_;
  std::string bytes_;
  std::vector<std::uint64_t> ends_;  // of each flag in bytes_
  std::vector<bool> kept_;
  StatusCounts counts_{};
};

// The flags of a service's answer, one line each, all under one rule (json_lines.cc). Throws BadInput
// for lines that this version does not know.
FlagList read_flags(std::string_view lines);

// Fills `stream` with one record batch, whose columns are kFlagFields and which owns a copy of
// everything (flag_arrow.cc).
void export_flags(const FlagList& flags, ArrowArrayStream& stream);

}  // namespace neardup
