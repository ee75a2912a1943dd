// Objects of buckets as inputs: s3://bucket/key, gs://bucket/key, abfs://container@account/key,
// read by Arrow's file systems (docs/files.md). Keys are written as they are, without escapes.
// Options of the connection may follow: ?region=eu-west-1&endpoint_override=127.0.0.1:9000
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "service/arrow/module.h"

namespace neardup {

bool is_remote(std::string_view path);

// A path without the options of its connection, by which formats are told; a local path as it is.
std::string_view without_query(std::string_view path);

// Throws Failure(kUsage) for a path with a password, which it does not print, and for an unknown
// option. Requires: is_remote(path).
RemotePlace remote_place(const std::string& path);

// Throws Failure(kUsage) if `path`, to which `what` would be written, is_remote.
void require_local_output(std::string_view what, std::string_view path);

// The objects that a folder or a pattern names, in the order of local files; an object by itself,
// also if it is not there.
struct RemoteFiles {
  std::vector<std::string> paths = {};
  bool folder = false;        // `path` is one
  std::uint64_t skipped = 0;  // objects in it whose names tell no known format
};
// Throws as remote_place, and Failure(kUnreadable) when the bucket cannot be listed.
RemoteFiles expand_remote(const std::string& path);

// The bytes of an object in order. Reads ahead once the first block was read: at most two blocks
// besides the one that is given out, of up to 8 MiB each. Errors are std::runtime_error, without
// the name, but for Failure(kUnreadable) in a program without Arrow.
class RemoteStream {
 public:
  explicit RemoteStream(const std::string& path);

  std::uint64_t size() const { return object_->size(); }
  // Up to `most` bytes, 0 at the end. Throws ReadStopped when `stop` is set.
  std::size_t read(char* to, std::size_t most, const std::atomic<bool>* stop);
  void seek(std::uint64_t offset);

 private:
  void read_ahead();
  void next_block(const std::atomic<bool>* stop);

  std::unique_ptr<RemoteObject> object_;
  std::string block_;
  std::size_t at_ = 0;                          // of block_: the next byte to give
  std::uint64_t asked_to_ = 0;                  // up to there blocks are on their way
  std::size_t block_bytes_;                     // of the next one
  std::deque<std::future<std::string>> ahead_;  // the last member: they end before the object
};

// What Arrow says of an object, with what to do.
std::string explained(std::string_view what);

}  // namespace neardup
