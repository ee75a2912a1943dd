// Where flags, or records of --emit, are written: a file that survives a crash, or a stream
// (standard output, a pipe, a device).
//
// Flags are appended and synced before the commit that stores their length (stored_output.h). Bytes
// after that length, which a crash may leave, are cut off when the file is opened again: the flags
// of one batch at most. If there are more, the state is older than the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "service/file/stored_output.h"
#include "storage/store.h"

namespace neardup {

struct FlagsFileOptions {
  std::string path;                              // "" or "-": standard output
  std::string key = std::string(kOutputKey);     // of what the state holds of the file
  std::optional<std::string> stored;             // that,
  std::optional<std::string> stored_batch = {};  // kOutputBatchKey
  bool restored = false;                         // and kOutputRestoredKey
  std::uint64_t batch = 0;                       // the most flags of a batch of this run
  bool half_read = false;                        // this run finishes an interrupted one
  bool durable = false;                          // the state is kept for a later run
  bool of_service = false;                       // all runs write one file, and replace none
  bool waits = false;                            // until `begin` no file loses a byte
};

// Every write error is a Failure(kIo) that names the path.
class FlagsFile {
 public:
  // Continues the file of this state, or replaces any other file at `path`. Throws
  // Failure(kUnavailable), and changes no file, when the file of an interrupted run is missing or
  // changed, or is not `path`; with `of_service` also when another file would be replaced; and when
  // the file has more flags than the state knows and a batch may have. Of a restored state, these
  // are moved to another file (later_flags.h).
  explicit FlagsFile(const FlagsFileOptions& options);
  ~FlagsFile();
  FlagsFile(const FlagsFile&) = delete;
  FlagsFile& operator=(const FlagsFile&) = delete;

  // Cuts the file to what the state knows of it, or to nothing. Of a file that waits; to be called
  // before the first `append`. Without it a file that was not there is removed again.
  void begin();

  void append(std::string_view bytes);
  // Syncs everything appended to disk; does nothing for a stream.
  void sync();

  bool regular() const { return regular_; }
  // The value for kOutputKey. Requires: regular().
  std::string stored_value() const;
  // Adds all values for the state. Requires: regular().
  void store(WriteSet& writes) const;

  // The file is that of an earlier run, and its bytes up to the stored length are kept.
  bool continues() const { return continues_; }
  const std::string& path() const { return path_; }

  // Flags that came after the backup that the state was restored from, and the file that has them
  // now.
  struct Later {
    std::uint64_t flags = 0;
    std::string path;
  };
  const Later& later() const { return later_; }

 private:
  void open_file(const FlagsFileOptions& options);
  void open_to_write(const FlagsFileOptions& options);
  void require_one_batch(const FlagsFileOptions& options, std::uint64_t length) const;
  void keep_later(std::uint64_t length);
  void replace(const FlagsFileOptions& options);
  [[noreturn]] void fail(std::string_view what) const;

  std::string path_;  // absolute
  int fd_ = -1;
  std::string key_;
  bool regular_ = false;
  bool continues_ = false;
  bool waits_ = false;    // for `begin`
  bool created_ = false;  // there was none
  std::uint64_t batch_ = 0;
  bool restored_ = false;
  Later later_;
  std::uint64_t length_ = 0;
  std::string tail_;  // its last bytes, up to kOutputTailBytes
};

}  // namespace neardup
