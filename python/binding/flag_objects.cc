#include "python/binding/flag_objects.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <memory>

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
      .def_static(
          "from_lines",
          [](const nb::bytes& lines) {
            return read_flags({static_cast<const char*>(lines.data()), lines.size()});
          },
          nb::arg("lines"))
      .def("__arrow_c_stream__", &arrow_stream, nb::arg("requested_schema") = nb::none());
}

}  // namespace neardup
