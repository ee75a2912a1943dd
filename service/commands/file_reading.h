// Passes over flags files and inputs that commands share, with notes and progress on stderr.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "config/config.h"
#include "pipeline/pipeline.h"
#include "service/cli/command_line.h"
#include "service/cli/progress.h"
#include "service/file/file_source.h"
#include "service/groups/flags_reader.h"
#include "service/records/all_rejected.h"

namespace neardup {

// `expand_inputs`, with what it skipped as notes on stderr unless `quiet`.
std::vector<std::string> expanded(const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& lists = {}, bool quiet = false);

// The inputs of `scan`. Throws Failure(kUsage) where there are none.
std::vector<std::string> inputs_of(const CommandLine& line);

// How the progress of a run of `scan` is shown.
ProgressForm progress_form(const CommandLine& line);

// The exit status of such a run. Says on stderr which inputs were not read to their end.
int status_of(const CommandLine& line, const AllRejected& rejected, const FileSource& source);

// How a command reads documents for decoders with these options; `stop` must outlive the source.
FileSourceOptions reading(const InputOptions& input, const OutputOptions& output,
                          const std::atomic<bool>& stop);

// Runs the records of `source` through `pipeline`, until there is none or the command is stopped.
void decide_records(FileSource& source, Pipeline& pipeline, const Config& config,
                    ProgressForm form);

// Prints the notes from `shown` on, which is set to how many there are.
void show_notes(const std::vector<std::string>& notes, std::size_t& shown);

// `take` gets each flag, until it returns false, `stop` is set, or there is none.
void read_flags(FlagsReader& reader, const std::atomic<bool>& stop,
                const std::function<bool(const FlagLine& flag)>& take);

// Throws Failure(kUnreadable) where no flag was read from the files at `path`.
void require_flags(const PipelineCounts& counts, const std::string& path);

// `take` gets each record, until it returns false, `stop` is set, or there is none.
void read_records(FileSource& source, const std::atomic<bool>& stop,
                  const std::function<bool(const RawRecord& record)>& take);

}  // namespace neardup
