#include "service/file/content_hash.h"

#include <sys/stat.h>
#include <xxhash.h>

#include <memory>
#include <vector>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/raw_input.h"

namespace neardup {
namespace {

constexpr std::size_t kHashedBlockBytes = std::size_t{1} << 20;

struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

// Opening a pipe would wait for a writer. What is not there, or is a directory, fails when it is
// opened.
bool can_be_read_again(const std::string& path) {
  if (path == "-") return false;
  struct stat status {};
  return ::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
}

}  // namespace

void require_file(const std::string& path) {
  if (can_be_read_again(path)) return;
  throw Failure(
      Exit::kUsage,
      fmt::format("{} is not a file and cannot be read twice: write it to a file first", path));
}

std::uint64_t content_hash(const std::string& path, const std::atomic<bool>& stop) {
  require_file(path);
  RawInput input(path);
  const std::unique_ptr<XXH3_state_t, FreeState> state(XXH3_createState());
  XXH3_64bits_reset(state.get());
  std::vector<char> block(kHashedBlockBytes);
  while (const std::size_t read = input.read(block.data(), block.size())) {
    if (stop) throw ReadStopped();
    XXH3_64bits_update(state.get(), block.data(), read);
  }
  return XXH3_64bits_digest(state.get());
}

}  // namespace neardup
