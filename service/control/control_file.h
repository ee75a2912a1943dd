// The file `control` in the directory of a state, by which commands on this machine find the
// service that holds it: where it listens, and a token made for this run (docs/formats/control.md).
//
// A file that a dead service left behind is not believed: only a state in use has a service, and
// only that one knows the token.
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

// Stands in the directory from construction to destruction, readable by its owner alone. Requires:
// the state is held as long.
class ControlFile {
 public:
  // Replaces one that was left behind. Throws Failure(kIo).
  ControlFile(const std::string& state, const ControlAddress& address);
  ~ControlFile();
  ControlFile(const ControlFile&) = delete;
  ControlFile& operator=(const ControlFile&) = delete;

 private:
  std::string path_;
};

// What the file says; nothing where there is none, or it cannot be understood. Throws Failure(kIo)
// when it may not be read: who does not own it must not use it.
std::optional<ControlAddress> read_control(const std::string& state);

}  // namespace neardup
