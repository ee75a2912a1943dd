// The inputs of a command: their names, and their positions in the state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/file/input_position.h"

namespace neardup {

using MetaValues = std::vector<std::pair<std::string, std::string>>;

struct InputNames {
  std::vector<std::string> paths;
  std::vector<std::string> notes;  // what was skipped, a sentence each
};

// Files, "-", and in their place the files of directories and patterns, in the order of the bytes
// of their names. Of a directory: all files below it with names of a known format, compressed or
// not; hidden ones and directories behind symbolic links are left out. Patterns: * ? [a-z] within a
// name, ** for any number of directories; a file that has the pattern as its name goes first.
// Of buckets the same (remote_input.h).
// `lists`: files, or "-", with one name a line, which is taken as it is. Throws
// Failure(kUnreadable) for a directory, a pattern or a list without a file.
InputNames expand_inputs(const std::vector<std::string>& inputs,
                         const std::vector<std::string>& lists = {});

// With * ? or [.
bool is_pattern(std::string_view path);

// "a.jsonl", "b/c.warc.gz": the name of a file that can be read.
bool names_a_format(std::string_view path);

struct PlannedInput {
  std::string path;             // as given
  std::string key = {};         // meta key of its position; empty: none is stored
  InputPosition position = {};  // where reading begins
  std::uint64_t size = 0;       // as stored; 0: not known
  bool skip = false;
  FormatAndHead form = {};  // of a file, where wanted
  std::string mark = {};    // of Parquet whose rows go to parts, once it was opened: parquet_mark
};

struct InputList {
  std::vector<PlannedInput> inputs;        // all that were given, in order
  bool half_read = false;                  // the state has a half-read input, in `inputs` or not
  std::vector<std::string> notes;          // what the user should know, a sentence each
  std::vector<std::string> failures = {};  // why inputs were not read to their end
};

struct PlanOptions {
  bool durable = false;  // the state is kept for a later run
  // Inputs that were read to their end are read again; ignored if an interrupted run has to be
  // finished first.
  bool rescan = false;
  bool keep_going = false;      // an input that cannot be opened is skipped, and is a failure
  bool keep_stored = false;     // formats are wanted, and marks of Parquet that is half read
  MetaValues emit_inputs = {};  // all meta values under kEmitInputPrefix
};

// `stored`: all meta values under kInputPrefix. Throws Failure(kUnreadable) when an input cannot be
// opened, Failure(kUnavailable) when a half-read input is another file now, or is Parquet of whose
// first rows the state does not know where they go to.
InputList plan_inputs(const std::vector<std::string>& paths, const MetaValues& stored,
                      const PlanOptions& options);

std::string absolute_path(const std::string& path);

}  // namespace neardup
