// What the program and its module libneardup_arrow.so agree on. The module alone is linked with
// Arrow: libparquet exports other versions of libraries that the program uses (simdjson, OpenSSL),
// so the two must not see each other's symbols (docs/decisions/0052-parquet.md).
//
// Both are built together, by one compiler and with one C++ library; kArrowModuleVersion tells the
// builds apart. Objects are deleted by the program. Functions throw std::runtime_error, which says
// what is wrong, without the name of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/model/flag.h"

namespace neardup {

inline constexpr std::uint32_t kArrowModuleVersion = 4;
inline constexpr const char* kArrowModuleSymbol = "neardup_arrow_module";

// What a column is for, which says the types that it may have.
enum class ColumnUse : std::uint8_t {
  kText,  // strings, bytes or a dictionary of them
  kId,    // these, or integers, which become strings of their digits
  kTime,  // strings, numbers, timestamps and dates; the latter become seconds since 1970
  kAny,   // what JSON has: also structs and lists
};

struct ParquetColumn {
  std::string pointer;  // JSON pointer: /id, or /meta/url in a struct
  std::string type;
  ColumnUse use = ColumnUse::kAny;
};

// A row as JSON.
struct ParquetRow {
  std::uint64_t size = 0;
  bool too_large = false;  // nothing was appended; `size` is what its texts would take
};

// The rows of a Parquet file, in order. Two batches of rows are in memory, of some MiB, and one
// page of each column: a thread reads one batch ahead.
class ParquetRows {
 public:
  virtual ~ParquetRows() = default;

  // All columns, with the fields of structs.
  virtual const std::vector<ParquetColumn>& columns() const = 0;

  // The columns to read, and their uses; none of them lies in another. Throws for a type that the
  // use does not allow.
  virtual void select(const std::vector<ParquetColumn>& columns) = 0;

  // Continues after the first `rows` rows. False: there are fewer. Requires: nothing was read yet.
  virtual bool skip(std::uint64_t rows) = 0;

  // Appends the next row as a JSON object of the selected columns; nulls are left out. False: there
  // is none. Throws when the file is damaged, with the row group first.
  virtual bool next(std::uint64_t max_bytes, std::string& out, ParquetRow& row) = 0;

  virtual std::uint64_t row_group() const = 0;  // of the last row, from 1
  virtual double done() const = 0;              // share of the file that was read
};

// Flags as rows of a Parquet file (docs/formats/records.md), whose bytes depend on nothing else.
class ParquetFlags {
 public:
  virtual ~ParquetFlags() = default;
  // Lines of JSON, in pieces that may end anywhere.
  virtual void add(std::string_view lines) = 0;
  // Writes the rest and the footer. Without it the file is of no use.
  virtual void finish() = 0;
};

// A part cannot be written.
struct ParquetPartError : std::runtime_error {
  ParquetPartError(std::size_t number, const std::string& what)
      : std::runtime_error(what), part(number) {}
  std::size_t part;  // of the paths that were given
};

// The rows of a Parquet file, distributed over parts: files with its schema, its metadata and, in
// their order, some of its rows, as they are. A part has a row group for each of the input in which
// it has rows. A column is read, and written to all parts, before the next one, page by page, so
// memory holds a page of a column for the input and for each part. The bytes of a part depend on
// the input and on its rows only. Throws ParquetPartError, and of the input std::runtime_error.
class ParquetSplit {
 public:
  virtual ~ParquetSplit() = default;

  // How many rows the next row group says that it has; nothing: there is none.
  virtual std::optional<std::uint64_t> group_rows() const = 0;
  // Reads the next row group: row i goes to part `parts[i]`, if there is such a part. Requires: its
  // rows are so many.
  virtual void write_group(std::span<const std::uint8_t> parts) = 0;
  // Writes the footers. Without them the parts are of no use.
  virtual void finish() = 0;
};

// A row for each row of a file: `row` (int64, from 1), `kept` (bool), `status` (string).
class ParquetMask {
 public:
  virtual ~ParquetMask() = default;
  virtual void add(bool kept, std::string_view status) = 0;
  // As of ParquetFlags.
  virtual void finish() = 0;
};

// An object of a bucket, or a folder: keys that begin alike.
struct RemotePlace {
  std::string store = {};  // what its file system is made from: "s3://bucket?region=eu-west-1"
  std::string key = {};    // as it is, without escapes
};

enum class RemoteKind : std::uint8_t { kNone, kObject, kFolder };

class RemoteObject {
 public:
  virtual ~RemoteObject() = default;
  virtual std::uint64_t size() const = 0;  // when it was opened
  // Up to `most` bytes from `offset` on; fewer only at the end. Throws when the object is another
  // one now than was opened. Any thread.
  virtual std::size_t read(std::uint64_t offset, char* to, std::size_t most) = 0;
};

struct ArrowModule {
  std::uint32_t version;
  std::string_view arrow_version;
  // `place`: where the file is, if not at `path`. It must outlive the call.
  std::unique_ptr<ParquetRows> (*open_rows)(const std::string& path, const RemotePlace* place);
  std::unique_ptr<ParquetFlags> (*create_flags)(const std::string& path);
  std::unique_ptr<ParquetSplit> (*open_split)(const std::string& path,
                                              const std::vector<std::string>& parts);
  std::unique_ptr<ParquetMask> (*create_mask)(const std::string& path);
  std::unique_ptr<RemoteObject> (*open_object)(const RemotePlace& place);
  RemoteKind (*kind_of)(const RemotePlace& place);
  // The keys of the objects in a folder, and with `below` in those below it, in no order.
  std::vector<std::string> (*list_objects)(const RemotePlace& folder, bool below);
};

}  // namespace neardup
