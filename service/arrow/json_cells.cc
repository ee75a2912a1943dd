#include <arrow/array.h>
#include <arrow/extension_type.h>
#include <arrow/type.h>
#include <arrow/type_traits.h>

#include "service/arrow/module_parts.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace neardup {
namespace {

constexpr std::int64_t kDaySeconds = 86'400;

bool special(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// The first special byte from `at` on, or `end`.
const char* find_special(const char* at, const char* end) {
#ifdef __SSE2__
  const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'),
                control = _mm_set1_epi8(0x1f);
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i found =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
                     _mm_cmpeq_epi8(_mm_min_epu8(bytes, control), bytes));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(found));
    if (mask != 0) return at + std::countr_zero(mask);
  }
#endif
  while (at != end && !special(*at)) ++at;
  return at;
}

void append_escape(char c, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (c) {
    case '"':
    case '\\':
      out.append({'\\', c});
      return;
    case '\n':
      out.append("\\n");
      return;
    case '\t':
      out.append("\\t");
      return;
    case '\r':
      out.append("\\r");
      return;
    default:
      out.append("\\u00").append({kHex[static_cast<unsigned char>(c) >> 4], kHex[c & 15]});
  }
}

template <class Number>
void append_number(Number number, std::string& out) {
  std::array<char, 40> digits;
  out.append(digits.data(),
             std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

// `ticks` of which `per_second` are a second, as seconds with a fraction.
void append_seconds(std::int64_t ticks, std::int64_t per_second, std::string& out) {
  std::int64_t fraction = ticks % per_second;
  const std::int64_t seconds = ticks / per_second;
  if (ticks < 0 && seconds == 0) out.push_back('-');
  append_number(seconds, out);
  if (fraction == 0) return;
  fraction = std::abs(fraction);
  out.push_back('.');
  for (std::int64_t unit = per_second / 10; unit > 0; unit /= 10)
    out.push_back(static_cast<char>('0' + fraction / unit % 10));
}

std::int64_t ticks_per_second(arrow::TimeUnit::type unit) {
  switch (unit) {
    case arrow::TimeUnit::SECOND:
      return 1;
    case arrow::TimeUnit::MILLI:
      return 1'000;
    case arrow::TimeUnit::MICRO:
      return 1'000'000;
    case arrow::TimeUnit::NANO:
      break;
  }
  return 1'000'000'000;
}

template <class Array>
class ArrayCells : public JsonCells {
 public:
  explicit ArrayCells(std::shared_ptr<arrow::Array> array)
      : owner_(std::move(array)), array_(static_cast<const Array&>(*owner_)) {}
  bool null(std::int64_t row) const override { return array_.IsNull(row); }

 protected:
  std::shared_ptr<arrow::Array> owner_;
  const Array& array_;
};

template <class Array>
class StringCells : public ArrayCells<Array> {
 public:
  using ArrayCells<Array>::ArrayCells;
  void append(std::int64_t row, std::string& out) const override {
    append_quoted(this->array_.GetView(row), out);
  }
  std::uint64_t bytes(std::int64_t row) const override { return this->array_.GetView(row).size(); }
};

template <class Array>
class NumberCells : public ArrayCells<Array> {
 public:
  NumberCells(std::shared_ptr<arrow::Array> array, ColumnUse use)
      : ArrayCells<Array>(std::move(array)), quote_(use == ColumnUse::kId ? "\"" : "") {}
  // JSON has no such number.
  bool null(std::int64_t row) const override {
    if constexpr (std::is_floating_point_v<typename Array::value_type>)
      return this->array_.IsNull(row) || !std::isfinite(this->array_.Value(row));
    return this->array_.IsNull(row);
  }
  void append(std::int64_t row, std::string& out) const override {
    out.append(quote_);
    append_number(this->array_.Value(row), out);
    out.append(quote_);
  }

 private:
  std::string_view quote_;
};

class NullCells : public JsonCells {
 public:
  bool null(std::int64_t) const override { return true; }
  void append(std::int64_t, std::string&) const override {}
};

class BooleanCells : public ArrayCells<arrow::BooleanArray> {
 public:
  using ArrayCells::ArrayCells;
  void append(std::int64_t row, std::string& out) const override {
    out.append(array_.Value(row) ? "true" : "false");
  }
};

template <class Array>
class TimeCells : public ArrayCells<Array> {
 public:
  // A value is `seconds` long, or 1 of `per_second`.
  TimeCells(std::shared_ptr<arrow::Array> array, std::int64_t per_second, std::int64_t seconds = 1)
      : ArrayCells<Array>(std::move(array)), per_second_(per_second), seconds_(seconds) {}
  void append(std::int64_t row, std::string& out) const override {
    append_seconds(static_cast<std::int64_t>(this->array_.Value(row)) * seconds_, per_second_, out);
  }

 private:
  std::int64_t per_second_;
  std::int64_t seconds_;
};

class DictionaryCells : public ArrayCells<arrow::DictionaryArray> {
 public:
  DictionaryCells(std::shared_ptr<arrow::Array> array, ColumnUse use)
      : ArrayCells(std::move(array)), values_(json_cells(array_.dictionary(), use)) {}
  bool null(std::int64_t row) const override {
    return array_.IsNull(row) || values_->null(index(row));
  }
  void append(std::int64_t row, std::string& out) const override {
    values_->append(index(row), out);
  }
  std::uint64_t bytes(std::int64_t row) const override { return values_->bytes(index(row)); }

 private:
  std::int64_t index(std::int64_t row) const {
    const std::int64_t index = array_.GetValueIndex(row);
    if (index < 0 || index >= array_.dictionary()->length())
      throw std::runtime_error("a dictionary has no entry " + std::to_string(index));
    return index;
  }

  std::unique_ptr<JsonCells> values_;
};

template <class Array>
class ListCells : public ArrayCells<Array> {
 public:
  explicit ListCells(std::shared_ptr<arrow::Array> array)
      : ArrayCells<Array>(std::move(array)),
        values_(json_cells(this->array_.values(), ColumnUse::kAny)) {}
  void append(std::int64_t row, std::string& out) const override {
    char separator = '[';
    const std::int64_t begin = this->array_.value_offset(row);
    for (std::int64_t i = begin; i < begin + this->array_.value_length(row); ++i) {
      out.push_back(std::exchange(separator, ','));
      values_->null(i) ? void(out.append("null")) : values_->append(i, out);
    }
    out.append(separator == '[' ? "[]" : "]");
  }

 private:
  std::unique_ptr<JsonCells> values_;
};

class StructCells : public ArrayCells<arrow::StructArray> {
 public:
  explicit StructCells(std::shared_ptr<arrow::Array> array) : ArrayCells(std::move(array)) {
    for (int i = 0; i < array_.num_fields(); ++i) {
      std::string& name = names_.emplace_back();
      append_quoted(array_.struct_type()->field(i)->name(), name);
      fields_.push_back(json_cells(array_.field(i), ColumnUse::kAny));
    }
  }
  void append(std::int64_t row, std::string& out) const override {
    char separator = '{';
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (fields_[i]->null(row)) continue;
      out.push_back(std::exchange(separator, ','));
      out.append(names_[i]).push_back(':');
      fields_[i]->append(row, out);
    }
    out.append(separator == '{' ? "{}" : "}");
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<JsonCells>> fields_;
};

bool holds_strings(arrow::Type::type id) {
  return arrow::is_base_binary_like(id) || arrow::is_binary_view_like(id) ||
         id == arrow::Type::FIXED_SIZE_BINARY;
}

bool holds_numbers(arrow::Type::type id) {
  return arrow::is_integer(id) || id == arrow::Type::FLOAT || id == arrow::Type::DOUBLE;
}

bool holds_times(arrow::Type::type id) {
  return id == arrow::Type::TIMESTAMP || id == arrow::Type::DATE32 || id == arrow::Type::DATE64;
}

bool holds_others(arrow::Type::type id) {
  return id == arrow::Type::STRUCT || id == arrow::Type::LIST || id == arrow::Type::LARGE_LIST ||
         id == arrow::Type::FIXED_SIZE_LIST;
}

// The type of the values themselves.
const arrow::DataType& inner_type(const arrow::DataType& type) {
  if (type.id() == arrow::Type::EXTENSION)
    return inner_type(*static_cast<const arrow::ExtensionType&>(type).storage_type());
  if (type.id() == arrow::Type::DICTIONARY)
    return inner_type(*static_cast<const arrow::DictionaryType&>(type).value_type());
  return type;
}

template <class Cells, class... Arguments>
std::unique_ptr<JsonCells> make(std::shared_ptr<arrow::Array> array, Arguments... arguments) {
  return std::make_unique<Cells>(std::move(array), arguments...);
}

}  // namespace

void append_quoted(std::string_view bytes, std::string& out) {
  out.push_back('"');
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (true) {
    const char* const found = find_special(at, end);
    out.append(at, static_cast<std::size_t>(found - at));
    if (found == end) break;
    append_escape(*found, out);
    at = found + 1;
  }
  out.push_back('"');
}

bool allowed(const arrow::DataType& type, ColumnUse use) {
  const arrow::DataType& inner = inner_type(type);
  const arrow::Type::type id = inner.id();
  if (id == arrow::Type::NA || holds_strings(id)) return true;
  switch (use) {
    case ColumnUse::kText:
      return false;
    case ColumnUse::kId:
      return arrow::is_integer(id);
    case ColumnUse::kTime:
      return holds_numbers(id) || holds_times(id);
    case ColumnUse::kAny:
      break;
  }
  if (holds_others(id)) {
    for (const auto& field : inner.fields())
      if (!allowed(*field->type(), use)) return false;
    return true;
  }
  return holds_numbers(id) || holds_times(id) || id == arrow::Type::BOOL;
}

std::unique_ptr<JsonCells> json_cells(std::shared_ptr<arrow::Array> array, ColumnUse use) {
  using enum arrow::Type::type;
  switch (array->type_id()) {
    case EXTENSION:
      return json_cells(static_cast<const arrow::ExtensionArray&>(*array).storage(), use);
    case DICTIONARY:
      return make<DictionaryCells>(std::move(array), use);
    case STRING:
    case BINARY:
      return make<StringCells<arrow::BinaryArray>>(std::move(array));
    case LARGE_STRING:
    case LARGE_BINARY:
      return make<StringCells<arrow::LargeBinaryArray>>(std::move(array));
    case STRING_VIEW:
    case BINARY_VIEW:
      return make<StringCells<arrow::BinaryViewArray>>(std::move(array));
    case FIXED_SIZE_BINARY:
      return make<StringCells<arrow::FixedSizeBinaryArray>>(std::move(array));
    case INT8:
      return make<NumberCells<arrow::Int8Array>>(std::move(array), use);
    case INT16:
      return make<NumberCells<arrow::Int16Array>>(std::move(array), use);
    case INT32:
      return make<NumberCells<arrow::Int32Array>>(std::move(array), use);
    case INT64:
      return make<NumberCells<arrow::Int64Array>>(std::move(array), use);
    case UINT8:
      return make<NumberCells<arrow::UInt8Array>>(std::move(array), use);
    case UINT16:
      return make<NumberCells<arrow::UInt16Array>>(std::move(array), use);
    case UINT32:
      return make<NumberCells<arrow::UInt32Array>>(std::move(array), use);
    case UINT64:
      return make<NumberCells<arrow::UInt64Array>>(std::move(array), use);
    case FLOAT:
      return make<NumberCells<arrow::FloatArray>>(std::move(array), use);
    case DOUBLE:
      return make<NumberCells<arrow::DoubleArray>>(std::move(array), use);
    case BOOL:
      return make<BooleanCells>(std::move(array));
    case TIMESTAMP: {
      const auto unit = static_cast<const arrow::TimestampType&>(*array->type()).unit();
      return make<TimeCells<arrow::TimestampArray>>(std::move(array), ticks_per_second(unit));
    }
    case DATE32:
      return make<TimeCells<arrow::Date32Array>>(std::move(array), std::int64_t{1}, kDaySeconds);
    case DATE64:
      return make<TimeCells<arrow::Date64Array>>(std::move(array), std::int64_t{1'000});
    case LIST:
      return make<ListCells<arrow::ListArray>>(std::move(array));
    case LARGE_LIST:
      return make<ListCells<arrow::LargeListArray>>(std::move(array));
    case FIXED_SIZE_LIST:
      return make<ListCells<arrow::FixedSizeListArray>>(std::move(array));
    case STRUCT:
      return make<StructCells>(std::move(array));
    case NA:
      return std::make_unique<NullCells>();
    default:
      throw std::runtime_error("values of type " + array->type()->ToString() +
                               " have no form in JSON");
  }
}

}  // namespace neardup
