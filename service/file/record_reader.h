// The records of one input, of any format, as JSON objects: what decoders take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/service_options.h"
#include "service/arrow/module.h"
#include "service/file/raw_input.h"

namespace neardup {

class ByteStream;

// A place between two records: bytes of the decompressed stream and line ends before it. A format
// without lines counts records.
struct LinePosition {
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;
  bool operator==(const LinePosition&) const = default;
};

// A record as the reader found it.
struct Line {
  std::uint64_t number = 0;  // of its first line, from 1, blank lines counted
  std::uint64_t size = 0;    // without the line end
  bool too_large = false;    // more than the limit: nothing was appended
  bool ended = false;        // a line end followed
  bool faulty = false;       // what was appended is no JSON: a sentence about what is wrong with it
  // After `keep_stored`: among the bytes that were appended, the record as the input has it.
  std::size_t stored_at = 0;
  std::size_t stored_size = 0;
};

class RecordReader {
 public:
  virtual ~RecordReader() = default;

  // Continues at `position`, which an earlier reader of the same input gave. False: the input is
  // shorter. Requires: nothing was read yet.
  virtual bool resume(const LinePosition& position) = 0;

  // From now on `next` appends a record as the input has it, too: with its line end if it has one.
  // Rows of Parquet are not appended: they are read a second time (emit_parts.cc).
  virtual void keep_stored() = 0;

  // Appends the next record, `size` bytes of JSON, to `buffer`. False: the input ended. When the
  // input fails, what was appended of the unfinished record is left in `buffer`. Throws
  // Failure(kUnreadable).
  virtual bool next(std::string& buffer, Line& line) = 0;

  // The end of the last record returned, or of the input.
  virtual const LinePosition& position() const = 0;
  // Bytes of the input as stored (compressed) that were consumed so far.
  virtual std::uint64_t stored_bytes() const = 0;

  virtual std::string_view format() const = 0;  // "JSON Lines"
  // What a file of such records begins with: the header row of CSV. Requires: nothing was read yet.
  virtual std::string head() { return {}; }

  // What the user should know about what was read, a sentence; empty: nothing.
  virtual std::string note() const { return {}; }
};

// A field that is read. Where an input has none at `pointer`, an id is at the first of `others`
// that it has, a text at all of them.
struct RecordField {
  std::string pointer;
  ColumnUse use = ColumnUse::kAny;
  bool required = false;
  std::vector<std::string> others = {};
};

// The fields that decoders with these options read.
std::vector<RecordField> record_fields(const InputOptions& input, const OutputOptions& output = {});

struct ReaderOptions {
  std::uint64_t max_record_bytes = std::uint64_t{32} << 20;  // larger ones come without their bytes
  // For formats that store each field apart: the others are not read. None: all are.
  std::vector<RecordField> fields = {};
};

// The reader for the format of `input`. Throws as open_stream, and as open_parquet.
std::unique_ptr<RecordReader> open_reader(RawInput input, const ReaderOptions& options);

// By its first bytes or its name.
bool is_parquet(const RawInput& input);
inline constexpr std::string_view kParquetFormat = "Parquet";
inline constexpr std::string_view kJsonLinesFormat = "JSON Lines";

// Size and hash of the index at the end of a Parquet file, which has the sizes and places of all
// columns. Throws Failure(kUnreadable).
std::string parquet_mark(const std::string& path);

struct FormatAndHead {
  std::string format;
  std::string head;
};
// RecordReader's of an input, without reading the index of a Parquet file. Throws as open_reader.
FormatAndHead format_and_head(RawInput input);

// Rows as records, their numbers from 1. A position counts row groups in its bytes, from 1 for the
// one of the last row, and rows in its lines. Throws Failure(kUnreadable) for what is not Parquet,
// not a file, damaged or encrypted, for a missing column or one of another type, and in a program
// without Arrow.
std::unique_ptr<RecordReader> open_parquet(RawInput input, const ReaderOptions& options);

// The records of a WARC file that are text: those of type conversion, and resources and responses
// of text/plain, with `id`, `url`, `ts` and `text`. Their numbers count the other records, too.
std::unique_ptr<RecordReader> make_warc_reader(std::unique_ptr<ByteStream> stream,
                                               std::uint64_t max_record_bytes);

// The rows of CSV (RFC 4180) below a first row of names, as objects of strings. `delimiter`: a
// comma, or a tab for TSV.
std::unique_ptr<RecordReader> make_csv_reader(std::unique_ptr<ByteStream> stream,
                                              std::uint64_t max_record_bytes, char delimiter);

}  // namespace neardup
