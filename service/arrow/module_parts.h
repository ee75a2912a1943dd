// The parts of the module, and what Arrow answers as an exception.
#pragma once

#include <arrow/io/type_fwd.h>
#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/arrow/module.h"

namespace neardup {

std::unique_ptr<ParquetRows> open_rows(const std::string& path, const RemotePlace* place);
std::unique_ptr<ParquetFlags> create_flags(const std::string& path);
std::unique_ptr<ParquetSplit> open_split(const std::string& path,
                                         const std::vector<std::string>& parts);
std::unique_ptr<ParquetMask> create_mask(const std::string& path);

std::unique_ptr<RemoteObject> open_object(const RemotePlace& place);
RemoteKind kind_of(const RemotePlace& place);
std::vector<std::string> list_objects(const RemotePlace& folder, bool below);
// As open_object, for Arrow's readers.
std::shared_ptr<arrow::io::RandomAccessFile> open_remote_file(const RemotePlace& place);

// Appends bytes as a JSON string with its quotes; bytes that are no UTF-8 stay as they are.
void append_quoted(std::string_view bytes, std::string& out);

// The values of one array.
class JsonCells {
 public:
  virtual ~JsonCells() = default;
  virtual bool null(std::int64_t row) const = 0;
  // Requires: not null.
  virtual void append(std::int64_t row, std::string& out) const = 0;
  // The bytes of a string, which are most of what `append` appends; 0 for other types.
  virtual std::uint64_t bytes(std::int64_t) const { return 0; }
};

// Whether values of `type` can be used so.
bool allowed(const arrow::DataType& type, ColumnUse use);

// Requires: the use is allowed. Throws std::runtime_error for a type without a form in JSON.
std::unique_ptr<JsonCells> json_cells(std::shared_ptr<arrow::Array> array, ColumnUse use);

inline void require(const arrow::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.message());
}

template <class Value>
Value value_of(arrow::Result<Value> result) {
  require(result.status());
  return std::move(result).ValueUnsafe();
}

}  // namespace neardup
