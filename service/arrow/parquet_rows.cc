#include <arrow/array.h>
#include <arrow/io/file.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>

#include <algorithm>
#include <functional>
#include <future>
#include <stdexcept>
#include <utility>

#include "service/arrow/module_parts.h"
#include "service/arrow/recycling_pool.h"

namespace neardup {
namespace {

using parquet::arrow::SchemaField;

constexpr std::int64_t kBatchBytes = std::int64_t{4} << 20;
constexpr std::int64_t kMostBatchRows = 4096;
constexpr std::int64_t kReadAtOnce = std::int64_t{256} << 10;
constexpr std::int64_t kReadFromBucket = std::int64_t{4} << 20;  // where each read is a request
// A page of 1 MiB may expand to this at most: a damaged or hostile file ends here.
constexpr std::int64_t kMostBytes = std::int64_t{2} << 30;

// A name as a step of a JSON pointer.
std::string step_of(std::string_view name) {
  std::string step = "/";
  for (const char c : name) c == '~' ? step += "~0" : c == '/' ? step += "~1" : step += c;
  return step;
}

// A selected column, or a struct on the way to some.
struct Cell {
  std::string name;
  std::string key;  // the name as JSON, with a colon
  ColumnUse use = ColumnUse::kAny;
  std::vector<Cell> members = {};  // of a struct on the way
  // Of the batch: the struct, or the values.
  std::shared_ptr<arrow::Array> array = {};
  std::shared_ptr<JsonCells> values = {};
};

std::string_view wanted(ColumnUse use) {
  switch (use) {
    case ColumnUse::kText:
      return ", and a string is needed";
    case ColumnUse::kId:
      return ", and a string or an integer is needed";
    case ColumnUse::kTime:
      return ", and a time, a number or a string is needed";
    case ColumnUse::kAny:
      break;
  }
  return ", which has no form in JSON";
}

using ArrayNamed = std::function<std::shared_ptr<arrow::Array>(const std::string& name)>;

void bind_arrays(std::vector<Cell>& cells, const ArrayNamed& array_named) {
  for (Cell& cell : cells) {
    cell.array = array_named(cell.name);
    if (!cell.array) throw std::runtime_error("column " + cell.name + " was not read");
    if (cell.members.empty()) {
      cell.values = json_cells(cell.array, cell.use);
      continue;
    }
    const auto& fields = static_cast<const arrow::StructArray&>(*cell.array);
    bind_arrays(cell.members, [&](const std::string& name) { return fields.GetFieldByName(name); });
  }
}

bool is_null(const Cell& cell, std::int64_t row) {
  return cell.values ? cell.values->null(row) : cell.array->IsNull(row);
}

void append_object(const std::vector<Cell>& cells, std::int64_t row, std::string& out) {
  char separator = '{';
  for (const Cell& cell : cells) {
    if (is_null(cell, row)) continue;
    out.push_back(std::exchange(separator, ','));
    out.append(cell.key);
    cell.values ? cell.values->append(row, out) : append_object(cell.members, row, out);
  }
  out.append(separator == '{' ? "{}" : "}");
}

// What the strings of a row have.
std::uint64_t bytes_of(const std::vector<Cell>& cells, std::int64_t row) {
  std::uint64_t bytes = 0;
  for (const Cell& cell : cells) {
    if (is_null(cell, row)) continue;
    bytes += cell.values ? cell.values->bytes(row) : bytes_of(cell.members, row);
  }
  return bytes;
}

class Rows : public ParquetRows {
 public:
  Rows(const std::string& path, const RemotePlace* place) : pool_(kMostBytes) {
    parquet::ReaderProperties file(&pool_);
    file.set_page_checksum_verification(true);
    file.enable_buffered_stream();
    file.set_buffer_size(place == nullptr ? kReadAtOnce : kReadFromBucket);
    parquet::ArrowReaderProperties rows(false);
    rows.set_pre_buffer(false);
    parquet::arrow::FileReaderBuilder builder;
    input_ = open_input(path, place);
    require(builder.Open(input_, file));
    require(builder.memory_pool(&pool_)->properties(rows)->Build(&reader_));
    metadata_ = reader_->parquet_reader()->metadata();
    if (metadata_->is_encryption_algorithm_set())
      throw std::runtime_error("it is encrypted, and neardup has no keys: decrypt it first");
    for (const SchemaField& field : reader_->manifest().schema_fields) list(field, "");
  }

  const std::vector<ParquetColumn>& columns() const override { return columns_; }
  void select(const std::vector<ParquetColumn>& columns) override;
  bool skip(std::uint64_t rows) override;
  bool next(std::uint64_t max_bytes, std::string& out, ParquetRow& row) override;
  std::uint64_t row_group() const override { return static_cast<std::uint64_t>(group_); }
  double done() const override;

 private:
  std::shared_ptr<arrow::io::RandomAccessFile> open_input(const std::string& path,
                                                          const RemotePlace* place) {
    if (place != nullptr) return open_remote_file(*place);
    return value_of(arrow::io::ReadableFile::Open(path, &pool_));
  }
  void list(const SchemaField& field, const std::string& parent);
  void select(const ParquetColumn& column, std::string_view rest,
              const std::vector<SchemaField>& fields, std::vector<Cell>& cells);
  void add_leaves(const SchemaField& field);
  // Rows of one row group; none at the end.
  struct Piece {
    std::shared_ptr<arrow::RecordBatch> rows = {};
    int group = 0;
  };
  std::int64_t batch_rows() const;
  void open_group();
  Piece read_piece();
  void read_ahead();
  bool next_batch();

  RecyclingPool pool_;
  std::shared_ptr<arrow::io::RandomAccessFile> input_;
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  std::vector<ParquetColumn> columns_;
  std::vector<int> leaves_;  // of the selected columns
  std::vector<Cell> cells_;

  // Of the thread that reads ahead, while ahead_ is not ready.
  std::unique_ptr<arrow::RecordBatchReader> batches_;  // of the row group
  int read_group_ = 0;                                 // from 1
  std::int64_t read_rows_ = 0;                         // of it

  std::shared_ptr<arrow::RecordBatch> batch_;
  int group_ = 0;             // its row group, from 1
  std::int64_t at_ = 0;       // of it: the next row
  std::int64_t skip_ = 0;     // rows still to be passed
  std::int64_t passed_ = 0;   // rows before it
  std::future<Piece> ahead_;  // the last member: its end is waited for first
};

void Rows::list(const SchemaField& field, const std::string& parent) {
  const arrow::DataType& type = *field.field->type();
  const std::string pointer = parent + step_of(field.field->name());
  columns_.push_back({.pointer = pointer, .type = type.ToString()});
  if (type.id() != arrow::Type::STRUCT) return;
  for (const SchemaField& child : field.children) list(child, pointer);
}

void Rows::select(const std::vector<ParquetColumn>& columns) {
  for (const ParquetColumn& column : columns)
    select(column, column.pointer, reader_->manifest().schema_fields, cells_);
  std::ranges::sort(leaves_);
}

void Rows::select(const ParquetColumn& column, std::string_view rest,
                  const std::vector<SchemaField>& fields, std::vector<Cell>& cells) {
  const std::string step(rest.substr(0, rest.find('/', 1)));
  rest.remove_prefix(step.size());
  const auto named = [&](const SchemaField& field) { return step_of(field.field->name()) == step; };
  if (std::ranges::count_if(fields, named) != 1)
    throw std::runtime_error("it has several columns " + column.pointer);
  const SchemaField& field = *std::ranges::find_if(fields, named);
  auto cell = std::ranges::find(cells, field.field->name(), &Cell::name);
  if (cell == cells.end()) {
    std::string key;
    append_quoted(field.field->name(), key);
    cells.push_back({.name = field.field->name(), .key = key + ":", .use = column.use});
    cell = std::prev(cells.end());
  }
  if (!rest.empty()) return select(column, rest, field.children, cell->members);
  if (!allowed(*field.field->type(), column.use))
    throw std::runtime_error("column " + column.pointer + " has the type " +
                             field.field->type()->ToString() + std::string(wanted(column.use)));
  add_leaves(field);
}

void Rows::add_leaves(const SchemaField& field) {
  if (field.is_leaf()) leaves_.push_back(field.column_index);
  for (const SchemaField& child : field.children) add_leaves(child);
}

bool Rows::skip(std::uint64_t rows) {
  for (; read_group_ < metadata_->num_row_groups(); ++read_group_) {
    const std::int64_t here = metadata_->RowGroup(read_group_)->num_rows();
    if (rows < static_cast<std::uint64_t>(here)) break;
    rows -= static_cast<std::uint64_t>(here);
    passed_ += here;
  }
  skip_ = static_cast<std::int64_t>(rows);
  return rows == 0 || read_group_ < metadata_->num_row_groups();
}

// So many that a batch has kBatchBytes.
std::int64_t Rows::batch_rows() const {
  const auto group = metadata_->RowGroup(read_group_);
  std::int64_t bytes = 1;
  for (const int leaf : leaves_) bytes += group->ColumnChunk(leaf)->total_uncompressed_size();
  const double share =
      static_cast<double>(kBatchBytes) / static_cast<double>(std::max<std::int64_t>(bytes, 1));
  return std::clamp(static_cast<std::int64_t>(share * static_cast<double>(group->num_rows())),
                    std::int64_t{1}, kMostBatchRows);
}

void Rows::open_group() {
  reader_->set_batch_size(batch_rows());
  ++read_group_;
  read_rows_ = 0;
  batches_ = value_of(reader_->GetRecordBatchReader({read_group_ - 1}, leaves_));
}

Rows::Piece Rows::read_piece() {
  Piece piece;
  while (true) {
    if (batches_) require(batches_->ReadNext(&piece.rows));
    if (piece.rows && piece.rows->num_rows() > 0) break;
    if (batches_ && read_rows_ != metadata_->RowGroup(read_group_ - 1)->num_rows())
      throw std::runtime_error("it ends after row " + std::to_string(read_rows_));
    batches_.reset();
    if (read_group_ == metadata_->num_row_groups()) return {};
    open_group();
  }
  read_rows_ += piece.rows->num_rows();
  piece.group = read_group_;
  return piece;
}

void Rows::read_ahead() {
  ahead_ = std::async(std::launch::async, [this] {
    try {
      return read_piece();
    } catch (const std::exception& error) {
      throw std::runtime_error("row group " + std::to_string(read_group_) + ": " + error.what());
    }
  });
}

// False: there is none.
bool Rows::next_batch() {
  if (!ahead_.valid()) read_ahead();
  Piece piece = ahead_.get();
  if (!piece.rows) return false;
  read_ahead();
  passed_ += batch_ ? batch_->num_rows() : 0;
  batch_ = std::move(piece.rows);
  group_ = piece.group;
  at_ = std::min(skip_, batch_->num_rows());
  skip_ -= at_;
  bind_arrays(cells_, [&](const std::string& name) { return batch_->GetColumnByName(name); });
  return true;
}

bool Rows::next(std::uint64_t max_bytes, std::string& out, ParquetRow& row) {
  while (!batch_ || at_ == batch_->num_rows())
    if (!next_batch()) return false;
  const std::size_t start = out.size();
  row = {.size = bytes_of(cells_, at_)};
  row.too_large = row.size > max_bytes;
  if (!row.too_large) {
    append_object(cells_, at_, out);
    row.size = out.size() - start;
  }
  ++at_;
  return true;
}

double Rows::done() const {
  if (metadata_->num_rows() == 0) return 1;
  return static_cast<double>(passed_ + at_) / static_cast<double>(metadata_->num_rows());
}

}  // namespace

std::unique_ptr<ParquetRows> open_rows(const std::string& path, const RemotePlace* place) {
  return std::make_unique<Rows>(path, place);
}

}  // namespace neardup
