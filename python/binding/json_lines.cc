// What Client sends and receives: columns as JSON lines, and the flags of an answer (docs/api.md).
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <optional>

#include "pipeline/base/json_object.h"
#include "pipeline/base/utf8.h"
#include "python/binding/columns.h"
#include "python/binding/errors.h"
#include "python/binding/flag_list.h"

namespace neardup {
namespace {

using simdjson::dom::element;

template <class T>
std::optional<T> field(const element& object, std::string_view name) {
  auto found = object[name];
  if (found.error() == simdjson::NO_SUCH_FIELD) return {};
  const element value = found.value();
  if (value.is_null()) return {};
  if constexpr (std::same_as<T, element>) {
    return value;
  } else {
    return value.get<T>().value();
  }
}

std::string text(const element& object, std::string_view name) {
  return std::string(field<std::string_view>(object, name).value_or(""));
}

Ppm ppm(const element& object, std::string_view name) {
  return static_cast<Ppm>(std::lround(field<double>(object, name).value_or(0) * kOne));
}

// A newer service may have words that this version does not know.
template <class Enum>
Enum word(const element& object, std::string_view name) {
  const std::string value = text(object, name);
  const auto all = names(Enum{});
  const auto found = std::ranges::find(all, value);
  if (found == all.end())
    throw BadInput("a flag with the unknown " + std::string(name) + " '" + value + "'");
  return static_cast<Enum>(found - all.begin());
}

Original original_of(const element& object, std::string_view id) {
  return {.id = std::string(id),
          .seq = field<std::uint64_t>(object, "duplicate_of_seq").value_or(0),
          .verified_by = word<VerifiedBy>(object, "verified_by"),
          .similarity = ppm(object, "similarity"),
          .low = ppm(object, "similarity_low"),
          .high = ppm(object, "similarity_high"),
          .bands_hit =
              static_cast<std::uint32_t>(field<std::uint64_t>(object, "bands_hit").value_or(0))};
}

Flag flag_of(const element& object, FlagSeq seq, std::uint64_t row) {
  Flag flag;
  const auto id = field<std::string_view>(object, "id");
  flag.has_id = id.has_value();
  flag.id = id.value_or("");
  flag.name_space = text(object, "namespace");
  flag.seq = seq == FlagSeq::kOwn ? object["seq"].get_uint64().value()
                                  : object["as_of_seq"].get_uint64().value() + 1;
  flag.source.place = row;
  flag.status = word<Status>(object, "status");
  flag.known = field<bool>(object, "known").value_or(true);
  if (flag.status == Status::kRejected) {
    flag.reason = word<RejectReason>(object, "reason");
    flag.detail = text(object, "detail");
  }
  if (const auto of = field<std::string_view>(object, "duplicate_of"))
    flag.original = original_of(object, *of);
  if (const auto previous = field<element>(object, "previous")) {
    flag.previous.emplace().seq = (*previous)["seq"].get_uint64().value();
    if (field<double>(*previous, "similarity")) flag.previous->similarity = ppm(*previous, "similarity");
  }
  if (const auto verdict = field<element>(object, "verdict"))
    flag.verdict.emplace().kept = (*verdict)["kept"].get_bool().value();
  return flag;
}

}  // namespace

FlagList read_flags(std::string_view lines) {
  simdjson::dom::parser parser;
  std::optional<FlagList> flags;
  try {
    for (std::uint64_t row = 0; !lines.empty(); ++row) {
      const std::size_t end = std::min(lines.find('\n'), lines.size() - 1);
      const element object = parser.parse(lines.data(), end + 1);
      lines.remove_prefix(end + 1);
      if (!flags) {
        const bool checked = field<std::uint64_t>(object, "as_of_seq").has_value();
        flags.emplace(text(object, "rule"), ppm(object, "threshold"),
                      checked ? FlagSeq::kLast : FlagSeq::kOwn);
      }
      flags->add(flag_of(object, flags->seq(), row));
    }
  } catch (const simdjson::simdjson_error& error) {
    throw BadInput(std::string("no flags: ") + error.what());
  }
  return flags ? *std::move(flags) : FlagList("", 0, FlagSeq::kOwn);
}

std::string write_records(const Columns& columns, const std::string& id_prefix, std::size_t& row,
                          std::size_t most_rows, std::size_t most_bytes) {
  std::string lines, cleaned;
  lines.reserve(most_bytes + most_bytes / 8);
  const std::size_t end = std::min(columns.size(), row + most_rows);
  for (; row < end && lines.size() < most_bytes; ++row) {
    lines += R"({"id":)";
    append_json_string(columns.ids ? std::string(columns.ids->values[row])
                                   : id_prefix + std::to_string(row),
                       lines);
    if (columns.name_spaces) {
      lines += R"(,"namespace":)";
      append_json_string(columns.name_spaces->values[row], lines);
    }
    lines += R"(,"text":)";
    std::string_view text = columns.texts.values[row];
    if (!valid_utf8(text)) {
      replace_invalid_utf8(text, cleaned);
      text = cleaned;
    }
    append_json_string(text, lines);
    lines += "}\n";
  }
  return lines;
}

}  // namespace neardup
