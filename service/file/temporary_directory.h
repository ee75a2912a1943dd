// A directory that is removed with what is in it.
#pragma once

#include <string>

namespace neardup {

// Below TMPDIR, or /tmp; for a temporary state. The destructor removes it. Throws Failure(kIo).
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace neardup
