// Files that are complete and synced to disk when a call returns. All calls throw Failure(kIo) that
// names the file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

// Creates and syncs a file, which must not exist yet.
void write_new_file(const std::string& path, std::string_view bytes, unsigned mode = 0644);

// Renames `from` to `to`, which it replaces, and syncs the directory of `to`.
void rename_file(const std::string& from, const std::string& to);

// A file with these bytes in place of what is at `path`, if anything: another process sees either.
// Leaves nothing else behind.
void replace_file(const std::string& path, std::string_view bytes);

void sync_directory(const std::string& path);

// The content of a file; nothing if it does not exist. Throws Failure(kIo) above 16 MiB.
std::optional<std::string> read_small_file(const std::string& path);

// Calls take(bytes) for the bytes of a file from `from` on, 1 MiB at a time, until it returns
// false.
void read_pieces(const std::string& path, std::uint64_t from,
                 const std::function<bool(std::string_view)>& take);

[[noreturn]] void fail_file(std::string_view doing, const std::string& path);  // by errno

// Owns the descriptor of an open file or directory.
class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return descriptor_; }
  bool open() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

// Locks a directory (flock) while it lives. The system releases the lock when the process dies.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::string& path);
  bool held() const { return held_; }  // false: another DirectoryLock has it

 private:
  Descriptor directory_;
  bool held_ = false;
};

// Appends all of `bytes`.
void write_all(const Descriptor& file, std::string_view bytes, const std::string& path);
void sync(const Descriptor& file, const std::string& path);
// Without what reading does not need, such as times: does not wait for the file system's journal.
void sync_data(const Descriptor& file, const std::string& path);

}  // namespace neardup
