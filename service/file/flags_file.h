// Where flags are written: a file that survives a crash, or a stream (standard output, a pipe, a
// device).
//
//   meta key  output
//   value     1 <length> <hash of the up to 4 096 bytes before it> <absolute path>
//
// Flags are appended and synced before the commit that stores their length. Bytes after that
// length, which a crash may leave, are cut off when the file is opened again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

inline constexpr std::string_view kOutputKey = "output";

struct FlagsFileOptions {
  std::string path;                   // "" or "-": standard output
  std::optional<std::string> stored;  // what the state holds under kOutputKey
  bool half_read = false;             // this run finishes an interrupted one
  bool durable = false;               // the state is kept for a later run
  bool of_service = false;            // all runs write one file, and replace none
};

// Every write error is a Failure(kIo) that names the path.
class FlagsFile {
 public:
  // Continues the file of this state, or replaces any other file at `path`. Throws
  // Failure(kUnavailable), and changes no file, when the file of an interrupted run is missing or
  // changed, or is not `path`; with `of_service` also when another file would be replaced.
  explicit FlagsFile(const FlagsFileOptions& options);
  ~FlagsFile();
  FlagsFile(const FlagsFile&) = delete;
  FlagsFile& operator=(const FlagsFile&) = delete;

  void append(std::string_view bytes);
  // Syncs everything appended to disk; does nothing for a stream.
  void sync();

  bool regular() const { return regular_; }
  // The value for kOutputKey. Requires: regular().
  std::string stored_value() const;

 private:
  void open_file(const FlagsFileOptions& options);
  void continue_at(std::uint64_t length);
  void replace(const FlagsFileOptions& options);
  [[noreturn]] void fail(std::string_view what) const;

  std::string path_;  // absolute
  int fd_ = -1;
  bool regular_ = false;
  std::uint64_t length_ = 0;
  std::string tail_;  // its last bytes, up to 4 096
};

}  // namespace neardup
