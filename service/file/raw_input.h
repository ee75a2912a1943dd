// An input as it is stored: a file, a pipe, "-" for standard input, or an object of a bucket.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace neardup {

class RemoteStream;

// The number of bytes at the start of a file by which it is recognised.
inline constexpr std::size_t kHeadBytes = 4096;

// Thrown by a read that waits for a pipe when the stop flag is set.
struct ReadStopped {};

// Owns the descriptor. Every error is a Failure(kUnreadable) that names the input.
class RawInput {
 public:
  // Opens, and reads the first bytes. A directory or a missing file fails here. `stop`, if given,
  // must outlive the input; setting it ends a wait for a pipe with ReadStopped.
  explicit RawInput(std::string path, const std::atomic<bool>* stop = nullptr);
  ~RawInput();
  RawInput(RawInput&& other) noexcept;
  RawInput& operator=(RawInput&&) = delete;

  // Up to `most` bytes, 0 at the end.
  std::size_t read(char* to, std::size_t most);
  // Continues at byte `offset`. Requires: regular().
  void seek(std::uint64_t offset);

  const std::string& path() const { return path_; }
  std::string_view head() const { return head_; }   // the first kHeadBytes, or all there are
  bool regular() const { return regular_; }         // can be read again later
  std::uint64_t size() const { return size_; }      // when it was opened; 0 unless regular
  std::uint64_t offset() const { return offset_; }  // bytes given so far

 private:
  void open_file();
  void open_remote();
  void read_head();
  void wait_for_bytes() const;
  std::size_t read_remote(char* to, std::size_t most);
  std::size_t read_file(char* to, std::size_t most);

  std::string path_;
  const std::atomic<bool>* stop_;
  int fd_ = -1;
  std::unique_ptr<RemoteStream> remote_;  // instead of fd_
  bool regular_ = false;
  std::uint64_t size_ = 0;
  std::uint64_t offset_ = 0;
  std::string head_;
};

}  // namespace neardup
