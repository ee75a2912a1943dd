#include "python/binding/flag_objects.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "python/binding/errors.h"
#include "python/binding/flag_list.h"

namespace neardup {
namespace {

namespace nb = nanobind;

struct ToObject {
  nb::object operator()(std::monostate /*none*/) const { return nb::none(); }
  nb::object operator()(bool value) const { return nb::bool_(value); }
  nb::object operator()(std::uint64_t value) const { return nb::int_(value); }
  nb::object operator()(double value) const { return nb::float_(value); }
  nb::object operator()(std::string_view value) const { return nb::str(value.data(), value.size()); }
};

const FlagColumn& column_named(const std::string& name) {
  const auto* found = std::ranges::find_if(
      kFlagFields, [&](const FlagColumn& column) { return name == column.name; });
  if (found == kFlagFields.end()) throw nb::key_error(name.c_str());
  return *found;
}

nb::list column_of(const FlagList& flags, const std::string& name) {
  const FlagColumn& column = column_named(name);
  nb::list values;
  flags.each([&](const Flag& flag, bool kept) {
    values.append(std::visit(ToObject{}, column.of(flag, kept)));
  });
  return values;
}

nb::list kept_of(const FlagList& flags) {
  nb::list values;
  for (std::size_t i = 0; i < flags.size(); ++i) values.append(flags.kept(i));
  return values;
}

// The fields that the flag has.
nb::dict row_of(const FlagList& flags, std::size_t i) {
  if (i >= flags.size()) throw nb::index_error();
  const Flag flag = flags.at(i);
  nb::dict row;
  for (const FlagColumn& column : kFlagFields) {
    const FlagValue value = column.of(flag, flags.kept(i));
    if (std::holds_alternative<std::monostate>(value) || value == FlagValue(std::string_view()))
      continue;
    row[column.name] = std::visit(ToObject{}, value);
  }
  return row;
}

nb::dict counts_of(const FlagList& flags) {
  nb::dict counts;
  for (std::size_t i = 0; i < kStatuses; ++i) {
    if (flags.counts()[i] != 0) counts[kStatusNames[i].data()] = flags.counts()[i];
  }
  return counts;
}

template <class T>
std::optional<T> field(const nb::dict& row, const char* name) {
  if (!row.contains(name) || row[name].is_none()) return {};
  return nb::cast<T>(row[name]);
}

Ppm ppm(const nb::dict& row, const char* name) {
  return static_cast<Ppm>(std::lround(field<double>(row, name).value_or(0) * kOne));
}

// A newer service may have words that this version does not know.
template <class Enum>
Enum word(const nb::dict& row, const char* name) {
  const auto text = field<std::string>(row, name).value_or("");
  const auto all = names(Enum{});
  const auto found = std::ranges::find(all, text);
  if (found == all.end()) throw BadInput("a flag with the unknown " + std::string(name) + " " + text);
  return static_cast<Enum>(found - all.begin());
}

Flag flag_of(const nb::dict& row, FlagSeq seq, std::uint64_t place) {
  Flag flag;
  const auto id = field<std::string>(row, "id");
  flag.has_id = id.has_value();
  flag.id = id.value_or("");
  flag.name_space = field<std::string>(row, "namespace").value_or("");
  flag.seq = seq == FlagSeq::kOwn ? nb::cast<std::uint64_t>(row["seq"])
                                  : nb::cast<std::uint64_t>(row["as_of_seq"]) + 1;
  flag.source.place = place;
  flag.status = word<Status>(row, "status");
  flag.known = field<bool>(row, "known").value_or(true);
  if (flag.status == Status::kRejected) {
    flag.reason = word<RejectReason>(row, "reason");
    flag.detail = field<std::string>(row, "detail").value_or("");
  }
  if (const auto of = field<std::string>(row, "duplicate_of")) {
    flag.original = {.id = *of,
                     .seq = nb::cast<std::uint64_t>(row["duplicate_of_seq"]),
                     .verified_by = word<VerifiedBy>(row, "verified_by"),
                     .similarity = ppm(row, "similarity"),
                     .low = ppm(row, "similarity_low"),
                     .high = ppm(row, "similarity_high"),
                     .bands_hit = field<std::uint32_t>(row, "bands_hit").value_or(0)};
  }
  if (const auto previous = field<nb::dict>(row, "previous")) {
    flag.previous.emplace().seq = nb::cast<std::uint64_t>((*previous)["seq"]);
    if (previous->contains("similarity")) flag.previous->similarity = ppm(*previous, "similarity");
  }
  if (const auto verdict = field<nb::dict>(row, "verdict"))
    flag.verdict.emplace().kept = nb::cast<bool>((*verdict)["kept"]);
  return flag;
}

// From the lines of a service, decoded (docs/api.md). All of one answer have the same rule.
FlagList from_rows(const nb::list& rows) {
  const bool checked = nb::len(rows) > 0 && nb::cast<nb::dict>(rows[0]).contains("as_of_seq");
  const FlagSeq seq = checked ? FlagSeq::kLast : FlagSeq::kOwn;
  std::string rule;
  Ppm threshold = 0;
  if (nb::len(rows) > 0) {
    const auto first = nb::cast<nb::dict>(rows[0]);
    rule = field<std::string>(first, "rule").value_or("");
    threshold = ppm(first, "threshold");
  }
  FlagList flags(rule, threshold, seq);
  std::uint64_t place = 0;
  for (const nb::handle row : rows) flags.add(flag_of(nb::cast<nb::dict>(row), seq, place++));
  return flags;
}

nb::capsule arrow_stream(const FlagList& flags, const nb::object& /*requested_schema*/) {
  auto stream = std::make_unique<ArrowArrayStream>();
  export_flags(flags, *stream);
  return {stream.release(), "arrow_array_stream", [](void* pointer) noexcept {
            const std::unique_ptr<ArrowArrayStream> owned(static_cast<ArrowArrayStream*>(pointer));
            if (owned->release != nullptr) owned->release(owned.get());
          }};
}

nb::bytes lines_of(const FlagList& flags) {
  const std::string lines = flags.lines();
  return nb::bytes(lines.data(), lines.size());
}

nb::tuple names_of_columns(nb::handle /*type*/) {
  nb::list names;
  for (const FlagColumn& column : kFlagFields) names.append(column.name);
  return nb::tuple(names);
}

}  // namespace

void bind_flags(nb::module_& module) {
  nb::class_<FlagList>(module, "Flags")
      .def("__len__", &FlagList::size)
      .def("kept", &kept_of)
      .def("column", &column_of, nb::arg("name"))
      .def("row", &row_of, nb::arg("i"))
      .def("counts", &counts_of)
      .def("lines", &lines_of)
      .def("extend", &FlagList::extend, nb::arg("more"))
      .def_prop_ro("rule", &FlagList::rule)
      .def_prop_ro("threshold", [](const FlagList& flags) { return flags.threshold() / 1e6; })
      .def_prop_ro_static("columns", &names_of_columns)
      .def_static("from_rows", &from_rows, nb::arg("rows"))
      .def("__arrow_c_stream__", &arrow_stream, nb::arg("requested_schema") = nb::none());
}

}  // namespace neardup
