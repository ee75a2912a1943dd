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
#include <string>
#include <vector>

#include "pipeline/ports.h"
#include "service/file/input_list.h"
#include "service/file/line_reader.h"

namespace neardup {

struct FileSourceOptions {
  std::uint64_t max_record_bytes = std::uint64_t{32} << 20;
  bool durable = false;                     // positions are stored for a later run
  bool rescan = false;                      // inputs read to their end before are new
  const std::atomic<bool>* stop = nullptr;  // ends a wait for a pipe; the source then ends there
};

class FileSource : public Source {
 public:
  // `stored`: what the state holds under kInputPrefix. SourcePosition::input is the place in
  // `paths`. Opens every input once; throws like plan_inputs.
  FileSource(const std::vector<std::string>& paths, const MetaValues& stored,
             const FileSourceOptions& options);

  // When an input fails after some records were read, these come first and the next call throws.
  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override;

  // Of every input of this run, those not begun too: a killed run can be told from a finished one.
  // To be stored after the last `read` as well, which may find nothing but ends of inputs.
  std::vector<std::pair<std::string, std::string>> positions() override;

  // The state holds a half-read input from an earlier run.
  bool half_read() const { return list_.half_read; }
  // Grows with each read.
  const std::vector<std::string>& notes() const { return list_.notes; }

  // For a progress bar, in bytes as stored; any thread may ask. A total of 0 is not known.
  std::uint64_t total_bytes() const { return total_bytes_; }
  std::uint64_t done_bytes() const { return done_bytes_.load(std::memory_order_relaxed); }

 private:
  void fill(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk);
  bool open_next();
  void read_line(RawChunk& chunk);
  void finish();
  bool left_for_later(const Line& line, std::string_view bytes);
  void publish_progress();

  InputList list_;
  FileSourceOptions options_;
  std::size_t current_ = 0;             // of list_.inputs
  std::unique_ptr<LineReader> reader_;  // of the current input, once it is open
  std::size_t taken_ = 0;               // bytes of the chunk that belong to records
  std::exception_ptr failure_;          // to be thrown by the next read
  std::uint64_t total_bytes_ = 0;
  std::uint64_t finished_bytes_ = 0;
  std::atomic<std::uint64_t> done_bytes_ = 0;
};

}  // namespace neardup
