// The position in a flags file, as a state stores it.
//
//   meta key  output
//   value     1 <length> <hash of the up to 4 096 bytes before it> <absolute path>
//   meta key  output_batch     the most flags of a batch, in decimal
//   meta key  output_restored  1: the state was restored from a backup, and has not been used since
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

inline constexpr std::string_view kOutputKey = "output";
inline constexpr std::string_view kOutputBatchKey = "output_batch";
inline constexpr std::string_view kOutputRestoredKey = "output_restored";

inline constexpr std::size_t kOutputTailBytes = 4096;  // that are hashed

struct StoredOutput {
  std::uint64_t length = 0;
  std::string hash;
  std::string path;
};

// Throws Failure(kConfig) for a value of another version.
StoredOutput parse_output(std::string_view value);

std::string output_value(std::uint64_t length, std::string_view tail, std::string_view path);

// The up to kOutputTailBytes bytes before the stored length; nothing when the file cannot be read,
// is shorter or has other bytes there.
std::optional<std::string> matching_tail(const StoredOutput& stored);

}  // namespace neardup
