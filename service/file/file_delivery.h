// Writes the flags of a batch to a file, and syncs them before its commit.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/ports.h"
#include "service/file/emit_files.h"
#include "service/file/flags_file.h"
#include "service/records/all_rejected.h"
#include "service/records/flag_writer.h"

namespace neardup {

// {"file":…,"line":…}; names[i] is the name of input i.
SourceFormat file_sources(const std::vector<std::string>& names);

class FileDelivery : public Delivery {
 public:
  // Takes the flags of a batch before its commit, and may add to that.
  using WriteLines = std::function<void(std::string_view lines, WriteSet& writes)>;

  // `rejected` and `emitted`, which get every record unless they are null, must outlive this.
  FileDelivery(FlagWriter writer, WriteLines write, AllRejected* rejected,
               Emitter* emitted = nullptr);
  // Writes to `file`, which must outlive this. `durable`: the state is kept for a later run, and
  // stores how long the file is.
  FileDelivery(FlagWriter writer, FlagsFile& file, AllRejected* rejected, bool durable,
               Emitter* emitted = nullptr);

  void add(const RawChunk& chunk, std::vector<Flag>& flags) override;
  void before_commit(WriteSet& writes) override;
  void after_commit() override;

 private:
  FlagWriter writer_;
  WriteLines write_;
  AllRejected* rejected_;
  Emitter* emitted_;
  std::string lines_;  // of the batch
};

// Where the flags of a scan go: to a FlagsFile, or to a Parquet file (docs/formats/records.md),
// which is written as PATH.new and renamed, so that a file of its name is whole.
//
// Over a kept state the flags of a run go to PATH.rows first, as a FlagsFile, so that a crash loses
// none; `finish` makes the Parquet file of it. That has the flags of one run, and is never replaced
// by those of another run over the state:
//
//   meta key  output_parquet   the absolute path of the last such file
class FlagsOutput {
 public:
  // `file`: as for a FlagsFile. `all_read`: the run will read no record. Throws as that, and for
  // Parquet Failure(kUsage) in a program without Arrow and when the file has the flags of an
  // earlier run, Failure(kIo) when it cannot be written.
  FlagsOutput(FlagsFileOptions file, bool all_read, const FlagWriter& writer, Store& store,
              AllRejected* rejected, Emitter* emitted);
  ~FlagsOutput();

  Delivery& delivery() { return *delivery_; }
  // All other files were opened.
  void begin();
  // The run has ended; `stopped`: before its time.
  void finish(bool stopped);
  // What the user should know, a sentence each.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  class ParquetFile;

  void open_rows(FlagsFileOptions file, bool all_read);
  void make_parquet();

  Store& store_;
  std::string parquet_path_;  // absolute; "": none, or it is there
  std::unique_ptr<ParquetFile> parquet_;
  std::optional<FlagsFile> file_;
  std::optional<FileDelivery> delivery_;
  std::vector<std::string> notes_;
};

}  // namespace neardup
