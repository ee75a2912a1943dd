// Flags files as lines of what they say about groups.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/core/flag.h"
#include "pipeline/pipeline.h"
#include "service/file/file_source.h"
#include "service/groups/prefer.h"

namespace neardup {

// A flag that changes which documents there are. Its texts are valid until the next one is read.
struct FlagLine {
  bool deleted = false;
  Seq seq = 0;
  std::string_view name_space = {};
  std::string_view id = {};
  Seq original = 0;  // 0: it repeats no other
  std::string_view original_id = {};
  Facts facts = {};
};

class FlagsReader {
 public:
  // JSON Lines, plain, gzip or zstd; "-" for standard input. `stop` ends a wait for a pipe. Throws
  // Failure(kUnreadable) when a file cannot be opened.
  FlagsReader(const std::vector<std::string>& paths, const std::atomic<bool>& stop);
  ~FlagsReader();

  // The next flag that is neither `unchanged` nor `rejected`. False: there is none. Throws
  // Failure(kUnreadable), which names file and line, for anything that is no flag.
  bool next(FlagLine& flag);

  // Of the flags read so far; `input_bytes` are those of the flags.
  const PipelineCounts& counts() const { return counts_; }
  const FileSource& source() const { return source_; }

 private:
  struct Parser;

  bool take(const RawRecord& record, FlagLine& flag);

  std::vector<std::string> paths_;
  FileSource source_;
  std::unique_ptr<Parser> parser_;
  PipelineCounts counts_;
  RawChunk chunk_;
  std::size_t at_ = 0;  // of the records of chunk_
};

}  // namespace neardup
