#include "python/binding/columns.h"

#include <nanobind/stl/string.h>

#include "pipeline/base/utf8.h"
#include "python/binding/errors.h"

namespace neardup {
namespace {

namespace nb = nanobind;

std::string kind_of_value(nb::handle value) {
  return nb::cast<std::string>(nb::type_name(value.type()));
}

// Each half of a surrogate pair becomes U+FFFD, as in a record of JSON.
nb::object without_halves(nb::handle text) {
  return text.attr("encode")("utf-16-le", "surrogatepass").attr("decode")("utf-16-le", "replace");
}

// False: `text` has half of a surrogate pair.
bool view_of_str(nb::handle text, std::string_view& view) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) {
    PyErr_Clear();
    return false;
  }
  view = {bytes, static_cast<std::size_t>(size)};
  return true;
}

std::string_view view_of(nb::handle value, const char* what, std::size_t row, BadText bad_text,
                         StringColumn& column) {
  std::string_view view;
  if (PyUnicode_Check(value.ptr())) {
    if (view_of_str(value, view)) return view;
    if (bad_text == BadText::kRefuse) {
      throw BadInput(what, row, "half of a surrogate pair, which UTF-8 cannot hold");
    }
    column.objects.push_back(without_halves(value));
    view_of_str(column.objects.back(), view);
    return view;
  }
  if (PyBytes_Check(value.ptr())) {
    return {PyBytes_AsString(value.ptr()), static_cast<std::size_t>(PyBytes_Size(value.ptr()))};
  }
  throw BadInput(what, row, kind_of_value(value) + ", not a str or bytes");
}

// Of a sequence, whose elements are kept: another thread may change it during the call.
StringColumn column_of_sequence(nb::handle data, const char* what, BadText bad_text) {
  if (PyUnicode_Check(data.ptr()) || PyBytes_Check(data.ptr()) || PyDict_Check(data.ptr()) ||
      PySequence_Check(data.ptr()) == 0) {
    throw BadInput(std::string(what) + "s: " + kind_of_value(data) +
                   "; give a list of them, or a column or frame of Arrow");
  }
  const nb::object elements = nb::steal(PySequence_Tuple(data.ptr()));
  if (!elements.is_valid()) throw nb::python_error();
  StringColumn column;
  column.objects.push_back(elements);
  const auto size = static_cast<std::size_t>(PyTuple_Size(elements.ptr()));
  column.values.reserve(size);
  for (std::size_t row = 0; row < size; ++row) {
    const nb::handle value(PyTuple_GetItem(elements.ptr(), static_cast<Py_ssize_t>(row)));
    column.values.push_back(view_of(value, what, row, bad_text, column));
  }
  return column;
}

bool is_arrow(nb::handle data) {
  return nb::hasattr(data, "__arrow_c_stream__") || nb::hasattr(data, "__arrow_c_array__");
}

StringColumn column_of(nb::handle data, const char* what, BadText bad_text) {
  if (!is_arrow(data)) return column_of_sequence(data, what, bad_text);
  ArrowTable table(data);
  return table.only_column(what);
}

void require_length(const std::optional<StringColumn>& column, const char* what, std::size_t size) {
  if (!column || column->values.size() == size) return;
  throw BadInput(std::to_string(column->values.size()) + " " + what + "s for " +
                 std::to_string(size) + " texts");
}

}  // namespace

Columns read_columns(nb::handle data, nb::handle ids, nb::handle name_spaces,
                     const ColumnNames& names, BadText bad_text) {
  Columns columns;
  if (is_arrow(data)) {
    ArrowTable table(data);
    if (table.is_frame()) {
      columns.texts = table.column(names.text, "text");
      if (table.has(names.id)) columns.ids = table.column(names.id, "id");
      if (table.has(names.name_space))
        columns.name_spaces = table.column(names.name_space, "namespace", Nulls::kEmpty);
    } else {
      columns.texts = table.only_column("text");
    }
  } else {
    columns.texts = column_of_sequence(data, "text", bad_text);
  }
  if (!ids.is_none()) columns.ids = column_of(ids, "id", BadText::kRefuse);
  if (!name_spaces.is_none())
    columns.name_spaces = column_of(name_spaces, "namespace", BadText::kRefuse);
  require_length(columns.ids, "id", columns.size());
  require_length(columns.name_spaces, "namespace", columns.size());
  return columns;
}

void require_utf8(const StringColumn& column, const char* what) {
  for (std::size_t row = 0; row < column.values.size(); ++row) {
    if (!valid_utf8(column.values[row]))
      throw BadInput(what, row, "not valid UTF-8; errors=\"replace\" reads a text all the same");
  }
}

}  // namespace neardup
