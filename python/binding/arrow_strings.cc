#include <cstring>

#include "python/binding/columns.h"
#include "python/binding/errors.h"

namespace neardup {
namespace {

namespace nb = nanobind;

constexpr std::size_t kViewBytes = 16;
constexpr std::int32_t kInlineBytes = 12;

// One chunk of a column, for reading value by value.
struct Chunk {
  const ArrowArray& array;
  std::string_view format;
  const char* what;
  std::size_t first;  // row of the column

  [[noreturn]] void refuse(std::int64_t i, const char* message) const {
    throw BadInput(what, first + static_cast<std::size_t>(i), message);
  }

  bool is_null(std::int64_t i) const {
    if (format == "n") return true;
    const auto* bits = static_cast<const std::uint8_t*>(array.buffers[0]);
    const auto at = static_cast<std::uint64_t>(array.offset + i);
    return array.null_count != 0 && bits != nullptr && (bits[at / 8] >> (at % 8) & 1) == 0;
  }

  template <class Offset>
  std::string_view by_offset(std::int64_t i) const {
    const auto* offsets = static_cast<const Offset*>(array.buffers[1]) + array.offset + i;
    if (offsets[0] < 0 || offsets[1] < offsets[0]) refuse(i, "damaged offsets in the Arrow array");
    return {static_cast<const char*>(array.buffers[2]) + offsets[0],
            static_cast<std::size_t>(offsets[1] - offsets[0])};
  }

  std::string_view by_view(std::int64_t i) const {
    const char* view = static_cast<const char*>(array.buffers[1]) +
                       static_cast<std::size_t>(array.offset + i) * kViewBytes;
    std::int32_t parts[4];  // length, prefix, buffer, offset
    std::memcpy(parts, view, sizeof parts);
    const auto [length, prefix, buffer, offset] = parts;
    if (length >= 0 && length <= kInlineBytes)
      return {view + sizeof length, static_cast<std::size_t>(length)};
    const std::int64_t buffers = array.n_buffers - 3;
    const auto* sizes = static_cast<const std::int64_t*>(array.buffers[array.n_buffers - 1]);
    if (length < 0 || buffer < 0 || buffer >= buffers || offset < 0 ||
        std::int64_t{offset} + length > sizes[buffer]) {
      refuse(i, "a damaged string view in the Arrow array");
    }
    return {static_cast<const char*>(array.buffers[2 + buffer]) + offset,
            static_cast<std::size_t>(length)};
  }

  std::string_view value(std::int64_t i) const {
    if (format == "u" || format == "z") return by_offset<std::int32_t>(i);
    if (format == "U" || format == "Z") return by_offset<std::int64_t>(i);
    return by_view(i);
  }
};

void require_strings(const ArrowSchema& schema, const char* what) {
  const std::string_view format = schema.format;
  const bool strings = format == "u" || format == "U" || format == "vu" || format == "z" ||
                       format == "Z" || format == "vz" || format == "n";
  if (strings && schema.dictionary == nullptr) return;
  const std::string kind = schema.dictionary != nullptr
                               ? "dictionary-encoded (categorical)"
                               : "of the Arrow type '" + std::string(format) + "'";
  throw BadInput(std::string(what) + "s: the column is " + kind + ", not strings: cast it");
}

void append(const Chunk& chunk, Nulls nulls, std::vector<std::string_view>& values) {
  for (std::int64_t i = 0; i < chunk.array.length; ++i) {
    if (!chunk.is_null(i)) {
      values.push_back(chunk.value(i));
    } else if (nulls == Nulls::kEmpty) {
      values.emplace_back();
    } else {
      chunk.refuse(i, "null, not a string");
    }
  }
}

template <class T>
T* in_capsule(nb::handle capsule, const char* name) {
  void* pointer = PyCapsule_GetPointer(capsule.ptr(), name);
  if (pointer == nullptr) throw nb::python_error();
  return static_cast<T*>(pointer);
}

// Throws BadInput with the producer's words.
void require(int error, ArrowArrayStream* stream) {
  if (error == 0) return;
  const char* words = stream->get_last_error(stream);
  throw BadInput(std::string("the Arrow stream cannot be read: ") +
                 (words != nullptr ? words : std::strerror(error)));
}

}  // namespace

ArrowTable::ArrowTable(nb::handle data) {
  const auto take = [&](ArrowArray& array) {
    arrays_.push_back(std::make_shared<ArrowOwner<ArrowArray>>(array));
  };
  if (!nb::hasattr(data, "__arrow_c_stream__")) {
    const nb::tuple pair = nb::tuple(data.attr("__arrow_c_array__")());
    schema_ = ArrowOwner(*in_capsule<ArrowSchema>(pair[0], "arrow_schema"));
    take(*in_capsule<ArrowArray>(pair[1], "arrow_array"));
    return;
  }
  const nb::object capsule = data.attr("__arrow_c_stream__")();
  ArrowOwner stream(*in_capsule<ArrowArrayStream>(capsule, "arrow_array_stream"));
  require(stream->get_schema(stream.get(), schema_.get()), stream.get());
  while (true) {
    ArrowArray array{};
    require(stream->get_next(stream.get(), &array), stream.get());
    if (array.release == nullptr) return;
    take(array);
  }
}

bool ArrowTable::is_frame() const { return std::string_view(schema_->format) == "+s"; }

std::int64_t ArrowTable::find(const std::string& name) const {
  for (std::int64_t i = 0; i < schema_->n_children; ++i) {
    if (name == schema_->children[i]->name) return i;
  }
  return -1;
}

StringColumn ArrowTable::column(const std::string& name, const char* what, Nulls nulls) {
  const std::int64_t at = find(name);
  if (at < 0) throw BadInput(std::string(what) + "s: the frame has no column '" + name + "'");
  const ArrowSchema& schema = *schema_->children[at];
  require_strings(schema, what);
  StringColumn column;
  for (const auto& array : arrays_) {
    const ArrowArray& frame = **array;
    ArrowArray part = *frame.children[at];  // a view: `release` is not called for it
    part.offset += frame.offset;
    part.length = frame.length;
    append({part, schema.format, what, column.values.size()}, nulls, column.values);
    column.arrays.push_back(array);
  }
  return column;
}

StringColumn ArrowTable::only_column(const char* what) {
  if (is_frame()) throw BadInput(std::string(what) + "s: a frame, not one column");
  require_strings(*schema_, what);
  StringColumn column;
  for (const auto& array : arrays_) {
    append({**array, schema_->format, what, column.values.size()}, Nulls::kRefuse, column.values);
    column.arrays.push_back(array);
  }
  return column;
}

}  // namespace neardup
