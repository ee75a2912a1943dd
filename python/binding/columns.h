// Texts, ids and namespaces that Python gives, as views.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "python/binding/arrow.h"

namespace neardup {

// What becomes of a text that is not UTF-8, or has half of a surrogate pair.
enum class BadText : std::uint8_t { kRefuse, kReplace };

// Strings, and what keeps their bytes alive. To be made and destroyed with the GIL.
struct StringColumn {
  std::vector<std::string_view> values;
  std::vector<nanobind::object> objects;
  std::vector<std::shared_ptr<ArrowOwner<ArrowArray>>> arrays;
};

enum class Nulls : std::uint8_t { kRefuse, kEmpty };

// A frame, or one column. Reads all that the object has; nothing is copied.
class ArrowTable {
 public:
  // Throws BadInput when the object cannot be read.
  explicit ArrowTable(nanobind::handle data);

  bool is_frame() const;
  bool has(const std::string& name) const { return find(name) >= 0; }

  // Types: utf8, large_utf8, utf8_view, and binary of the same layouts. The views are valid as long
  // as the result. Throws BadInput for any other type, and for nulls.
  StringColumn column(const std::string& name, const char* what, Nulls nulls = Nulls::kRefuse);
  StringColumn only_column(const char* what);

 private:
  std::int64_t find(const std::string& name) const;

  ArrowOwner<ArrowSchema> schema_;
  std::vector<std::shared_ptr<ArrowOwner<ArrowArray>>> arrays_;
};

// The names of columns in a frame. The first has to be there.
struct ColumnNames {
  std::string text = "text";
  std::string id = "id";
  std::string name_space = "namespace";
};

// Columns of equal length.
struct Columns {
  StringColumn texts;  // perhaps not UTF-8: see require_utf8
  std::optional<StringColumn> ids;
  std::optional<StringColumn> name_spaces;

  std::size_t size() const { return texts.values.size(); }
};

// `data`: a sequence of str or bytes; or an object with __arrow_c_stream__ or __arrow_c_array__: a
// column of strings, or a frame with columns of these names. `ids`, `name_spaces`: such a sequence
// or column each, or None: those of the frame, if it has them. Throws BadInput that names the
// first row that cannot be used.
Columns read_columns(nanobind::handle data, nanobind::handle ids, nanobind::handle name_spaces,
                     const ColumnNames& names, BadText bad_text);

// Throws BadInput for the first value that is not UTF-8. Needs no GIL.
void require_utf8(const StringColumn& column, const char* what);

// The rows from `row` on as records, a JSON object a line (json_lines.cc): at most `most_rows`, and no
// further one once `most_bytes` are reached. `row` becomes the next one. Without ids, that of a row
// is its number behind `id_prefix`. Needs no GIL. Requires: ids and namespaces
// are UTF-8.
std::string write_records(const Columns& columns, const std::string& id_prefix, std::size_t& row,
                          std::size_t most_rows, std::size_t most_bytes);

}  // namespace neardup
