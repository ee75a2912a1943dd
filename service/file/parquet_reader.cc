#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "pipeline/base/failure.h"
#include "service/file/arrow_library.h"
#include "service/file/input_position.h"
#include "service/file/record_reader.h"
#include "service/file/remote_input.h"

namespace neardup {
namespace {

constexpr std::string_view kMagic = "PAR1", kEncrypted = "PARE", kSuffix = ".parquet";
constexpr std::size_t kLeastBytes = 12;    // two magic words and the length of the footer
constexpr std::size_t kIndexEndBytes = 8;  // the length of the footer, and a magic word
constexpr std::uint64_t kMostIndexBytes = std::uint64_t{64} << 20;  // that are hashed
constexpr std::size_t kMostNamed = 40;                              // columns in a message

[[noreturn]] void fail_reading(const std::string& path, std::string_view what) {
  throw Failure(Exit::kUnreadable, fmt::format("{} {}", path, what));
}

// The last `size` bytes, or fewer where the file has become shorter.
std::string last_bytes(RawInput& input, std::uint64_t size) {
  std::string bytes(size, '\0');
  input.seek(input.size() - bytes.size());
  std::size_t have = 0;
  while (have < bytes.size()) {
    const std::size_t got = input.read(bytes.data() + have, bytes.size() - have);
    if (got == 0) break;
    have += got;
  }
  bytes.resize(have);
  return bytes;
}

// The name of a column, or of a field of a struct.
std::string name_of(std::string_view pointer) {
  return std::string(pointer.substr(std::min<std::size_t>(1, pointer.size())));
}

// A command that converts without Arrow in neardup.
std::string conversion(const std::string& path) {
  return fmt::format(
      "python3 -c \"import duckdb; duckdb.sql(\\\"copy (select id, text from '{}') to "
      "'/dev/stdout' "
      "(format json)\\\")\" | neardup scan -",
      path);
}

void require_parquet(RawInput& input) {
  const std::string& path = input.path();
  const std::string_view head = input.head();
  if (!input.regular())
    fail_reading(path == "-" ? "standard input" : path,
                 "is Parquet, whose index is at its end: give a file by its name");
  const bool begins = head.starts_with(kMagic) || head.starts_with(kEncrypted);
  if (!begins && head.size() >= kMagic.size())
    fail_reading(
        path, "is not Parquet, though its name ends in .parquet: give it the ending of its format");
  const std::string tail = input.size() < kLeastBytes ? "" : last_bytes(input, kMagic.size());
  if (head.starts_with(kEncrypted) || tail == kEncrypted)
    fail_reading(path, "is encrypted Parquet, and neardup has no keys: decrypt it first");
  if (tail != kMagic)
    fail_reading(
        path,
        "ends too early: the index at the end of a Parquet file is missing. Get a complete copy "
        "of the file and rerun the command");
}

class ParquetReader : public RecordReader {
 public:
  ParquetReader(const RawInput& input, const ReaderOptions& options)
      : path_(input.path()), size_(input.size()), max_record_bytes_(options.max_record_bytes) {
    const ArrowModule* const module = arrow_module();
    if (module == nullptr)
      fail_reading(path_, fmt::format("is Parquet, and {}. Or convert it: {}", arrow_remedy(),
                                      conversion(path_)));
    try {
      const auto place = is_remote(path_) ? std::optional(remote_place(path_)) : std::nullopt;
      rows_ = module->open_rows(path_, place ? &*place : nullptr);
      rows_->select(columns_for(options.fields));
    } catch (const Failure&) {
      throw;
    } catch (const std::exception& error) {
      fail_reading(path_, fmt::format("cannot be read as Parquet: {}", error.what()));
    }
  }

  bool resume(const LinePosition& position) override {
    position_ = position;
    return rows_->skip(position.lines);
  }

  void keep_stored() override {}

  bool next(std::string& buffer, Line& line) override {
    ParquetRow row;
    if (!next_row(buffer, row)) {
      ended_ = true;
      return false;
    }
    ++position_.lines;
    position_.bytes = rows_->row_group();
    line = {.number = position_.lines, .size = row.size, .too_large = row.too_large, .ended = true};
    return true;
  }

  const LinePosition& position() const override { return position_; }
  std::string_view format() const override { return kParquetFormat; }
  std::uint64_t stored_bytes() const override {
    if (ended_) return size_;
    return static_cast<std::uint64_t>(static_cast<double>(size_) * rows_->done());
  }

 private:
  std::vector<ParquetColumn> columns_for(const std::vector<RecordField>& fields) const;
  void add(const RecordField& field, std::vector<ParquetColumn>& wanted) const;
  bool has(std::string_view pointer) const {
    return std::ranges::find(rows_->columns(), pointer, &ParquetColumn::pointer) !=
           rows_->columns().end();
  }
  [[noreturn]] void fail_missing(const RecordField& field) const;

  bool next_row(std::string& buffer, ParquetRow& row) {
    try {
      return rows_->next(max_record_bytes_, buffer, row);
    } catch (const std::exception& error) {
      if (is_remote(path_)) {
        fail_reading(path_, fmt::format("cannot be read on after row {}, in {}; the rows before it "
                                        "were read",
                                        position_.lines, explained(error.what())));
      }
      fail_reading(
          path_, fmt::format("is damaged after row {}, in {}; the rows before it were read. Get a "
                             "complete copy of the file and rerun the command",
                             position_.lines, error.what()));
    }
  }

  std::string path_;
  std::uint64_t size_;
  std::uint64_t max_record_bytes_;
  std::unique_ptr<ParquetRows> rows_;
  LinePosition position_;
  bool ended_ = false;
};

std::vector<ParquetColumn> ParquetReader::columns_for(
    const std::vector<RecordField>& fields) const {
  std::vector<ParquetColumn> wanted;
  for (const RecordField& field : fields) add(field, wanted);
  if (!fields.empty()) return wanted;
  std::ranges::copy_if(rows_->columns(), std::back_inserter(wanted), [](const ParquetColumn& one) {
    return one.pointer.find('/', 1) == std::string::npos;
  });
  return wanted;
}

void ParquetReader::add(const RecordField& field, std::vector<ParquetColumn>& wanted) const {
  std::vector<std::string> pointers{field.pointer};
  if (!has(field.pointer)) {
    pointers = field.others;
    std::erase_if(pointers, [&](const std::string& pointer) { return !has(pointer); });
    if (field.use == ColumnUse::kId && !pointers.empty()) pointers.resize(1);
  }
  if (pointers.empty() && field.required) fail_missing(field);
  for (const std::string& pointer : pointers) {
    const bool known = std::ranges::find(wanted, pointer, &ParquetColumn::pointer) != wanted.end();
    if (!known) wanted.push_back({.pointer = pointer, .type = {}, .use = field.use});
  }
}

void ParquetReader::fail_missing(const RecordField& field) const {
  std::vector<std::string> names;
  for (const ParquetColumn& column : rows_->columns()) {
    if (names.size() == kMostNamed) {
      names.emplace_back("…");
      break;
    }
    names.push_back(fmt::format("{} ({})", name_of(column.pointer), column.type));
  }
  const bool id = field.use == ColumnUse::kId;
  fail_reading(path_,
               fmt::format("has no column {} for the {} of documents: name one with --set "
                           "input.{}_field=/NAME. It has {}",
                           name_of(field.pointer), id ? "id" : "text", id ? "id" : "text",
                           names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace

bool is_parquet(const RawInput& input) {
  const std::string_view head = input.head();
  return head.starts_with(kMagic) || head.starts_with(kEncrypted) ||
         without_query(input.path()).ends_with(kSuffix);
}

std::string parquet_mark(const std::string& path) {
  RawInput input(path);
  require_parquet(input);
  const std::string end = last_bytes(input, kIndexEndBytes);
  std::uint64_t size = 0;
  for (std::size_t i = 4; i-- > 0;) size = size << 8 | static_cast<unsigned char>(end.at(i));
  size = std::min({size + kIndexEndBytes, input.size(), kMostIndexBytes});
  return fmt::format("{}-{}", input.size(), hash_hex(last_bytes(input, size)));
}

std::unique_ptr<RecordReader> open_parquet(RawInput input, const ReaderOptions& options) {
  require_parquet(input);
  return std::make_unique<ParquetReader>(input, options);
}

}  // namespace neardup
