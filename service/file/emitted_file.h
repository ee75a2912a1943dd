// A file of --emit: whole records one after the other, compressed as its name says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <string>
#include <string_view>

#include "service/file/emit_files.h"
#include "service/file/flags_file.h"

namespace neardup {

class EmittedFile {
 public:
  // `key`, `tail_key`: the meta keys of the file and of its tail (emit_files.h). Their values are
  // among `options.stored`. Opens the file as a FlagsFile that waits, and throws as that;
  // Failure(kIo) when the tail is damaged.
  EmittedFile(const std::string& path, std::string key, std::string tail_key,
              const EmitOptions& options);

  void begin() { file_.begin(); }
  void add(std::string_view record);
  // Syncs what was added, and adds the values for the state.
  void store(WriteSet& writes);
  // No more records follow; what `store` adds from now on is the whole file. What is not stored is
  // written again by a later run.
  void finish();

  const std::string& path() const { return file_.path(); }
  std::uint64_t records() const { return records_; }  // that were added

 private:
  enum class Form : std::uint8_t { kPlain, kGzip, kZstd };

  static Form form_of(std::string_view path);
  void end_frame();
  void write_frames(std::size_t most);

  std::string tail_key_;
  FlagsFile file_;
  Form form_;
  std::size_t most_frames_;
  std::size_t frame_bytes_;
  std::string pending_;                          // records of the frame that has not ended
  std::deque<std::future<std::string>> frames_;  // being compressed, in their order
  std::uint64_t records_ = 0;
};

}  // namespace neardup
