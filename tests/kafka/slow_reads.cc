// Preloaded into a service: each read of 256 KiB or more of a file of RocksDB takes SLOW_READ_MS
// longer. Only merging asks for that much: a slow volume, or an index of many millions of
// documents.
#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

namespace {

constexpr std::size_t kLarge = std::size_t{256} << 10;

void delay(int file, std::size_t size) {
  const char* const milliseconds = std::getenv("SLOW_READ_MS");
  if (milliseconds == nullptr || size < kLarge) return;
  std::array<char, 4096> path;
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t length = readlink(link.c_str(), path.data(), path.size());
  if (length < 0) return;
  const std::string_view name(path.data(), static_cast<std::size_t>(length));
  if (!name.ends_with(".sst")) return;
  std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(milliseconds)));
}

using Read = ssize_t (*)(int, void*, std::size_t, off_t);

ssize_t read_slowly(const char* name, int file, void* bytes, std::size_t size, off_t offset) {
  delay(file, size);
  return reinterpret_cast<Read>(dlsym(RTLD_NEXT, name))(file, bytes, size, offset);
}

}  // namespace

extern "C" {

ssize_t pread(int file, void* bytes, std::size_t size, off_t offset) {
  return read_slowly("pread", file, bytes, size, offset);
}

ssize_t pread64(int file, void* bytes, std::size_t size, off64_t offset) {
  return read_slowly("pread64", file, bytes, size, offset);
}
}
