// Where flags are written: a file that survives a crash, or a stream (standard output, a pipe, a
// device).
//
//   meta key  output
//   value     1 <length> <hash of the up to 4 096 bytes before it> <absolute path>
//
// Flags are appended and synced before the state that holds their length is; what a crash leaves
// behind that length is cut off when the file is opened again.
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
  bool half_read = false;             // an interrupted run is to be finished
  bool durable = false;               // the state will be there for a later run
};

// Every write error is a Failure(kIo) that names the path.
class FlagsFile {
 public:
  // Continues the file that this state wrote, or makes a new one in the place of any other. Throws
  // Failure(kUnavailable), and touches nothing, when an interrupted run wrote a file that is not
  // there as it was left, or another file than `path`.
  explicit FlagsFile(const FlagsFileOptions& options);
  ~FlagsFile();
  FlagsFile(const FlagsFile&) = delete;
  FlagsFile& operator=(const FlagsFile&) = delete;

  void append(std::string_view bytes);
  // Everything appended is on disk when this returns. Nothing to do for a stream.
  void sync();

  bool regular() const { return regular_; }
  // The value for kOutputKey. Requires: regular().
  std::string stored_value() const;

 private:
  void open_file(const FlagsFileOptions& options);
  void continue_at(std::uint64_t length);
  void replace(bool durable);
  [[noreturn]] void fail(std::string_view what) const;

  std::string path_;  // absolute
  int fd_ = -1;
  bool regular_ = false;
  std::uint64_t length_ = 0;
  std::string tail_;  // its last bytes, up to 4 096
};

}  // namespace neardup
