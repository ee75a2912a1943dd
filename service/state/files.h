// Files that must be whole and on disk when a call returns. All throw Failure(kIo) that names the
// file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

// Makes a file that must not exist yet, synced.
void write_new_file(const std::string& path, std::string_view bytes, unsigned mode = 0644);

// Replaces `to`, and syncs its directory.
void rename_file(const std::string& from, const std::string& to);

void sync_directory(const std::string& path);

// The whole file, at most 16 MiB of it; nothing when there is none.
std::optional<std::string> read_small_file(const std::string& path);

[[noreturn]] void fail_file(std::string_view doing, const std::string& path);  // by errno

// Closes what it is given. An open file or directory.
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

// Locks a directory against others who do the same, as long as this lives: the system lets go when
// a process dies.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::string& path);
  bool held() const { return held_; }  // false: another one has it

 private:
  Descriptor directory_;
  bool held_ = false;
};

// Appends all of `bytes`.
void write_all(const Descriptor& file, std::string_view bytes, const std::string& path);
void sync(const Descriptor& file, const std::string& path);

}  // namespace neardup
