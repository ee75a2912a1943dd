// Records of several files, pipes or standard input, one after the other (docs/formats/records.md).
//
// The last line of a file may lack its line end. When the position is stored for a later run and
// the line is not one whole JSON object or array, it is left for that run, with a note; in all
// other cases it is a record.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/base/failure.h"
#include "pipeline/ports.h"
#include "service/file/input_list.h"
#include "service/file/record_reader.h"

namespace neardup {

struct FileSourceOptions {
  std::uint64_t max_record_bytes = std::uint64_t{32} << 20;
  bool durable = false;                     // positions are stored for a later run
  bool rescan = false;                      // inputs that were read to their end are read again
  const std::atomic<bool>* stop = nullptr;  // ends a wait for a pipe; the source then ends there
  bool keep_going = false;                  // an input that cannot be read on is left, see failures
  bool keep_stored = false;                 // records have `stored`, inputs their formats
  // With `keep_stored`: all meta values under kEmitInputPrefix, to which `positions` adds.
  MetaValues emit_inputs = {};
  bool find_fields = false;              // `input.id: auto`: records have `fields`
  std::vector<RecordField> fields = {};  // ReaderOptions
  // Of the inputs, in bytes as stored: from the start of each; of many small ones, some.
  double share = 1;
};

// How far the inputs were read, in bytes as stored.
struct InputProgress {
  std::uint64_t done_bytes = 0;
  std::uint64_t total_bytes = 0;  // 0: not known
  std::uint64_t done_files = 0;
  std::uint64_t files = 0;
};

class FileSource : public Source {
 public:
  // `stored`: all meta values under kInputPrefix. SourcePosition::input is the index in `paths`.
  // Throws like plan_inputs.
  FileSource(const std::vector<std::string>& paths, const MetaValues& stored,
             const FileSourceOptions& options);

  // When an input fails after some records were read, returns these; the next call throws. With
  // `keep_going` it continues with the next input.
  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override;

  // The first time of all inputs of this run, including those not begun, so that an interrupted run
  // differs from a finished one; later of those that were read since. Must also be stored after the
  // last `read`, which may only reach ends of inputs.
  std::vector<std::pair<std::string, std::string>> positions() override;

  // The state holds a half-read input from an earlier run.
  bool half_read() const { return list_.half_read; }
  // All inputs, in order. Requires: nothing was read yet.
  const std::vector<PlannedInput>& inputs() const { return list_.inputs; }

  // What the user should know, a sentence each; `read` may add to it.
  const std::vector<std::string>& notes() const { return list_.notes; }

  // Why inputs were not read to their end, with `keep_going`; `read` may add to it. The position of
  // such an input stays behind its last record.
  const std::vector<std::string>& failures() const { return list_.failures; }

  // Any thread.
  InputProgress progress() const {
    return {done_bytes_.load(std::memory_order_relaxed), total_bytes_,
            done_files_.load(std::memory_order_relaxed), list_.inputs.size()};
  }

 private:
  // Where a record lies in the buffer of its chunk.
  struct RecordPlace {
    std::size_t at = 0;
    std::size_t stored_at = 0;
    std::size_t stored_size = 0;
  };

  void fill(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk);
  bool find_next();
  bool open_next();
  void read_line(RawChunk& chunk);
  void leave(const Failure& failure, RawChunk& chunk);
  // `read`: bytes of the current input, as stored.
  void close_reader(std::uint64_t read);
  void finish(std::uint64_t read);
  static void set_mark(PlannedInput& input);
  static std::pair<std::string, std::string> emit_value(const PlannedInput& input);
  void find_fields(std::string_view record);
  bool left_for_later(const Line& line, std::string_view bytes);
  bool has_share(std::uint64_t current) const;
  void publish_progress();

  InputList list_;
  FileSourceOptions options_;
  std::size_t current_ = 0;               // of list_.inputs
  std::unique_ptr<RecordReader> reader_;  // of the current input, once it is open
  bool fields_are_known_ = true;          // of the current input
  std::set<std::string> told_;            // what notes said of fields
  std::vector<RecordPlace> places_;       // of the records of the chunk
  std::size_t taken_ = 0;                 // bytes of the chunk that belong to records
  std::optional<std::size_t> stored_to_;  // the input that was current in the last `positions`
  std::exception_ptr failure_;            // to be thrown by the next read
  std::uint64_t total_bytes_ = 0;
  std::uint64_t finished_bytes_ = 0;
  std::uint64_t offered_bytes_ = 0;  // of inputs up to the current one
  std::atomic<std::uint64_t> done_bytes_ = 0;
  std::atomic<std::uint64_t> done_files_ = 0;
};

// The rest of an input: its records from a line on.
class LaterLines : public Source {
 public:
  // `first`: the first line that is wanted; 0 and 1 are all of them. `source` has one input, and
  // must outlive this.
  LaterLines(Source& source, std::uint64_t first) : source_(source), first_(first) {}

  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override;
  // None.
  std::vector<std::pair<std::string, std::string>> positions() override { return {}; }
  void interrupt() override { interrupted_ = true; }

  // Records before that line, so far. Any thread.
  std::uint64_t skipped() const { return skipped_; }

 private:
  Source& source_;
  const std::uint64_t first_;
  std::atomic<bool> interrupted_{false};
  std::atomic<std::uint64_t> skipped_{0};
};

}  // namespace neardup
