// Writes the flags of a batch to a file, and syncs them before its commit.
#pragma once

#include <string>
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
  // `file`, and `rejected` and `emitted`, which get every record unless they are null, must outlive
  // this. `durable`: the state is kept for a later run.
  FileDelivery(FlagWriter writer, FlagsFile& file, AllRejected* rejected, bool durable,
               EmitFiles* emitted = nullptr);

  void add(const RawChunk& chunk, std::vector<Flag>& flags) override;
  // With a durable state, adds what the state stores of the file.
  void before_commit(WriteSet& writes) override;
  void after_commit() override {}

 private:
  FlagWriter writer_;
  FlagsFile& file_;
  AllRejected* rejected_;
  EmitFiles* emitted_;
  bool durable_;
  std::string lines_;  // of the batch
};

}  // namespace neardup
