#include <cerrno>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "python/binding/flag_list.h"

namespace neardup {
namespace {

// A column with its buffers: validity, then offsets and bytes of strings, or values.
struct ColumnData {
  ArrowArray array{};
  std::string valid;
  std::vector<std::int64_t> offsets{0};
  std::string bytes;
  const void* buffers[3] = {};

  static void set_bit(std::string& bits, std::size_t at, bool value) {
    if (at % 8 == 0) bits.push_back('\0');
    bits.back() = static_cast<char>(bits.back() | (value ? 1 << (at % 8) : 0));
  }

  void add(std::size_t row, const FlagColumn& column, const FlagValue& value) {
    const bool present = !std::holds_alternative<std::monostate>(value);
    set_bit(valid, row, present);
    array.null_count += present ? 0 : 1;
    switch (*column.arrow_format) {
      case 'U':
        if (present) bytes += std::get<std::string_view>(value);
        return offsets.push_back(static_cast<std::int64_t>(bytes.size()));
      case 'L':
        return add_number(present ? std::get<std::uint64_t>(value) : 0);
      case 'g':
        return add_number(present ? std::get<double>(value) : 0.0);
      default:
        return set_bit(bytes, row, present && std::get<bool>(value));
    }
  }

  template <class Number>
  void add_number(Number number) {
    char raw[sizeof number];
    std::memcpy(raw, &number, sizeof number);
    bytes.append(raw, sizeof raw);
  }

  void finish(std::size_t rows, const FlagColumn& column) {
    array.length = static_cast<std::int64_t>(rows);
    const bool strings = *column.arrow_format == 'U';
    buffers[0] = valid.data();
    buffers[1] = strings ? static_cast<const void*>(offsets.data()) : bytes.data();
    buffers[2] = bytes.data();
    array.n_buffers = strings ? 3 : 2;
    array.buffers = buffers;
    array.release = [](ArrowArray* released) { released->release = nullptr; };  // the frame owns it
  }
};

struct FrameData {
  std::array<ColumnData, kFlagColumns> columns;
  std::array<ArrowArray*, kFlagColumns> children{};
  const void* no_validity = nullptr;
};

struct SchemaData {
  std::array<ArrowSchema, kFlagColumns> columns{};
  std::array<ArrowSchema*, kFlagColumns> children{};
};

void export_schema(ArrowSchema& schema) {
  auto data = std::make_unique<SchemaData>();
  for (std::size_t i = 0; i < kFlagColumns; ++i) {
    ArrowSchema& child = data->columns[i];
    child.format = kFlagFields[i].arrow_format;
    child.name = kFlagFields[i].name;
    child.flags = kArrowNullable;
    child.release = [](ArrowSchema* released) { released->release = nullptr; };
    data->children[i] = &child;
  }
  schema = {};
  schema.format = "+s";
  schema.name = "";
  schema.n_children = kFlagColumns;
  schema.children = data->children.data();
  schema.private_data = data.release();
  schema.release = [](ArrowSchema* released) {
    delete static_cast<SchemaData*>(released->private_data);
    released->release = nullptr;
  };
}

void export_rows(const FlagList& flags, ArrowArray& array) {
  auto data = std::make_unique<FrameData>();
  std::size_t row = 0;
  flags.each([&](const Flag& flag, bool kept) {
    for (std::size_t i = 0; i < kFlagColumns; ++i)
      data->columns[i].add(row, kFlagFields[i], kFlagFields[i].of(flag, kept));
    ++row;
  });
  for (std::size_t i = 0; i < kFlagColumns; ++i) {
    data->columns[i].finish(row, kFlagFields[i]);
    data->children[i] = &data->columns[i].array;
  }
  array = {};
  array.length = static_cast<std::int64_t>(row);
  array.n_buffers = 1;
  array.n_children = kFlagColumns;
  array.buffers = &data->no_validity;
  array.children = data->children.data();
  array.private_data = data.release();
  array.release = [](ArrowArray* released) {
    delete static_cast<FrameData*>(released->private_data);
    released->release = nullptr;
  };
}

// The batch, until it was taken.
using StreamData = ArrowOwner<ArrowArray>;

}  // namespace

void export_flags(const FlagList& flags, ArrowArrayStream& stream) {
  auto data = std::make_unique<StreamData>();
  export_rows(flags, **data);
  stream.get_schema = [](ArrowArrayStream* /*stream*/, ArrowSchema* schema) {
    export_schema(*schema);
    return 0;
  };
  stream.get_next = [](ArrowArrayStream* from, ArrowArray* array) {
    *array = std::exchange(**static_cast<StreamData*>(from->private_data), ArrowArray{});
    return 0;
  };
  stream.get_last_error = [](ArrowArrayStream* /*stream*/) -> const char* { return nullptr; };
  stream.private_data = data.release();
  stream.release = [](ArrowArrayStream* released) {
    delete static_cast<StreamData*>(released->private_data);
    released->release = nullptr;
  };
}

}  // namespace neardup
