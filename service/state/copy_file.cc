#include "service/state/copy_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <memory>
#include <system_error>

#include "pipeline/base/failure.h"
#include "storage/files.h"

namespace neardup {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

[[noreturn]] void unreadable(const std::string& path) {
  throw Failure(Exit::kUnreadable,
                fmt::format("{}: {}", path, std::generic_category().message(errno)));
}

}  // namespace

CopiedFile copy_file(const std::string& from, const std::string& to, const std::string& name,
                     const CopyProgress& progress) {
  const std::string source = from + '/' + name;
  const std::string target = to + '/' + name;
  const Descriptor in(::open(source.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!in.open()) unreadable(source);
  const Descriptor out(::open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!out.open()) fail_file("creating", target);
  const std::unique_ptr<XXH3_state_t, FreeState> hash(XXH3_createState());
  XXH3_128bits_reset(hash.get());
  CopiedFile copied{name, 0, {}};
  std::string piece(kPiece, '\0');
  while (true) {
    const ssize_t got = ::read(in.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) unreadable(source);
    if (got == 0) break;
    const std::string_view bytes(piece.data(), static_cast<std::size_t>(got));
    XXH3_128bits_update(hash.get(), bytes.data(), bytes.size());
    write_all(out, bytes, target);
    copied.bytes += bytes.size();
    progress(bytes.size());
  }
  sync(out, target);
  const XXH128_hash_t digest = XXH3_128bits_digest(hash.get());
  copied.xxh3_128 = fmt::format("{:016x}{:016x}", digest.high64, digest.low64);
  return copied;
}

}  // namespace neardup
