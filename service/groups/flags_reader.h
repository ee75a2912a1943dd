// Flags files as lines of what they say about documents.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/model/flag.h"
#include "pipeline/pipeline.h"
#include "service/file/file_source.h"
#include "service/groups/prefer.h"

namespace neardup {

// A flag. Its texts are valid until the next one is read.
struct FlagLine {
  Status status = Status::kUnique;
  Seq seq = 0;
  std::string_view name_space = {};
  std::string_view id = {};  // empty: of a rejected record that had none
  Seq original = 0;          // 0: it repeats no other
  std::string_view original_id = {};
  Facts facts = {};
};

// The other fields of a flag. Its texts are valid until the next one is read.
struct FlagEvidence {
  std::string_view line = {};  // the flag as it is written
  std::string_view rule = {};
  Ppm threshold = 0;
  Ppm similarity = 0;  // to its original, if it has one
  // The file or the topic that its record came from; empty: the body of a request.
  std::string_view source = {};
  std::uint64_t source_line = 0;  // of a file, or of the body of a request; else 0
};

class FlagsReader {
 public:
  // JSON Lines, plain, gzip or zstd; "-" for standard input. `stop` ends a wait for a pipe. Throws
  // Failure(kUnreadable) when a file cannot be opened.
  FlagsReader(const std::vector<std::string>& paths, const std::atomic<bool>& stop);
  ~FlagsReader();

  // The next flag. False: there is none. Throws Failure(kUnreadable), which names file and line,
  // for anything that is no flag.
  bool next(FlagLine& flag);

  // Of the flag that `next` gave. Throws as `next`.
  FlagEvidence evidence() const;
  // "flags.jsonl, line 17": the place of that flag.
  std::string place() const;

  // Of the flags read so far; `input_bytes` are those of the flags.
  const PipelineCounts& counts() const { return counts_; }
  const FileSource& source() const { return source_; }

 private:
  struct Parser;

  void take(FlagLine& flag);
  [[noreturn]] void refuse(std::string_view mistake) const;

  std::vector<std::string> paths_;
  FileSource source_;
  std::unique_ptr<Parser> parser_;
  PipelineCounts counts_;
  RawChunk chunk_;
  std::size_t taken_ = 0;  // records of chunk_; the last of them is the flag that `next` gave
};

}  // namespace neardup
