// The file `control` in the directory of a state, by which commands on this machine find the
// service that holds it: where it listens, and a token made for this run (docs/formats/control.md).
//
// A stale file of a killed service does no harm: commands use the file only if the state is in use
// and the service accepts the token.
#pragma once

#include <optional>
#include <string>

namespace neardup {

struct ControlAddress {
  std::string url;    // http://HOST:PORT
  std::string token;  // 64 hex digits
};

// 256 random bits as hex digits.
std::string new_token();

// The file exists from construction to destruction, readable by its owner alone. Requires: this
// process holds the state as long.
class ControlFile {
 public:
  // Replaces a stale file. Throws Failure(kIo).
  ControlFile(const std::string& state, const ControlAddress& address);
  ~ControlFile();
  ControlFile(const ControlFile&) = delete;
  ControlFile& operator=(const ControlFile&) = delete;

 private:
  std::string path_;
};

// The content of the file; nothing if there is none or it is malformed. Throws Failure(kIo) when it
// cannot be read, such as by a user who does not own it.
std::optional<ControlAddress> read_control(const std::string& state);

}  // namespace neardup
