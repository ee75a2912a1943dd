// Writes the flags of a batch to a file, and syncs them before its commit.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/ports.h"
#include "service/arrow/module.h"
#include "service/file/emit_files.h"
#include "service/file/flags_file.h"
#include "service/records/all_rejected.h"
#include "service/records/flag_writer.h"

namespace neardup {

// {"file":…,"line":…}; names[i] is the name of input i.
SourceFormat file_sources(const std::vector<std::string>& names);

class FileDelivery : public Delivery {
 public:
  // `file`, and `rejected` and `emitted`, which get every record unless they are null, must outlive
  // this. `durable`: the state is kept for a later run.
  FileDelivery(FlagWriter writer, FlagsFile& file, AllRejected* rejected, bool durable,
               Emitter* emitted = nullptr);

  void add(const RawChunk& chunk, std::vector<Flag>& flags) override;
  // With a durable state, adds what the state stores of the file.
  void before_commit(WriteSet& writes) override;
  void after_commit() override;

 private:
  FlagWriter writer_;
  FlagsFile& file_;
  AllRejected* rejected_;
  Emitter* emitted_;
  bool durable_;
  std::string lines_;  // of the batch
};

// Flags as one Parquet file (docs/formats/records.md). It is written as PATH.new and gets its name
// by `finish`, so a file of that name is whole.
class ParquetDelivery : public Delivery {
 public:
  // Throws Failure(kUsage) in a program without Arrow, Failure(kIo) when the file cannot be
  // created. `names`, `rejected` and `emitted` as above; `rule`: 16 hex digits.
  ParquetDelivery(const std::string& path, std::vector<std::string> names, Ppm threshold,
                  std::string_view rule, AllRejected* rejected, Emitter* emitted = nullptr);
  // Removes what is not finished.
  ~ParquetDelivery() override;

  void add(const RawChunk& chunk, std::vector<Flag>& flags) override;
  void before_commit(WriteSet& writes) override;
  void after_commit() override;
  // All flags were added. Throws Failure(kIo), as `add`.
  void finish();

 private:
  [[noreturn]] void fail(std::string_view what) const;

  std::string path_;
  std::string unfinished_;
  std::vector<std::string> names_;
  AllRejected* rejected_;
  Emitter* emitted_;
  std::unique_ptr<ParquetFlags> file_;  // null: finished
};

}  // namespace neardup
