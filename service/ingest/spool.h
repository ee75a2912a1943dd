// The flags of a request until its client takes them: in memory, or once they are many in a file
// without a name, which goes with its last user.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "service/http/message/message.h"

namespace neardup {

class Spool : public HttpBody {
 public:
  // Files are made in `directory`.
  explicit Spool(std::string directory) : directory_(std::move(directory)) {}
  ~Spool() override;
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  // Throws Failure(kIo).
  void append(std::string_view bytes);

  std::uint64_t size() const override { return in_file_ + memory_.size(); }
  bool read(std::uint64_t at, std::span<char> bytes) const override;

 private:
  void write_out();

  const std::string directory_;
  std::string memory_;         // what follows the bytes in the file
  std::uint64_t in_file_ = 0;  // bytes
  int file_ = -1;              // -1: there is none
};

}  // namespace neardup
