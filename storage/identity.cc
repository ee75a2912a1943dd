#include "storage/identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <random>

#include "pipeline/base/failure.h"
#include "storage/store.h"

namespace neardup {

std::string current_format() { return std::to_string(kFormatVersion); }

std::string new_uuid() {
  std::random_device random;
  const auto word = [&random] { return std::uint64_t{random()} << 32 | random(); };
  const std::uint64_t high = (word() & ~0xf000ULL) | 0x4000ULL;
  const std::uint64_t low = (word() & ~(3ULL << 62)) | 2ULL << 62;
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, high >> 16 & 0xffff,
                     high & 0xffff, low >> 48, low & 0xffff'ffff'ffff);
}

void check_format(std::string_view format, std::string_view path, bool migrates) {
  if (format == current_format()) return;
  const bool migrated = std::ranges::any_of(
      kMigratedFormats, [&](std::uint32_t old) { return format == std::to_string(old); });
  if (migrated && migrates) return;
  const std::string way =
      migrated ? fmt::format(
                     "`neardup migrate -c CONFIG --state {}`, with the configuration that the "
                     "state was made with, converts it",
                     path)
               : std::string("use the program that made it, or a new state directory");
  throw Failure(Exit::kConfig,
                fmt::format("state {} has format version {}, this program reads and writes version "
                            "{}: {}",
                            path, format, current_format(), way));
}

}  // namespace neardup
