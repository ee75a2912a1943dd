#include "service/file/input_position.h"

#include <xxhash.h>

#include <charconv>
#include <vector>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/byte_stream.h"
#include "service/records/found_fields.h"

namespace neardup {
namespace {

std::vector<std::string_view> words_of(std::string_view value) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find(' ', at), value.size());
    words.push_back(value.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool read_number(std::string_view word, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc{} && end == word.data() + word.size();
}

bool same_file(const InputPosition& known, std::string_view head, std::uint64_t size) {
  if (head.size() < known.head_bytes) return false;
  if (hash_hex(head.substr(0, known.head_bytes)) != known.head_hash) return false;
  if (known.finished_at) return size >= *known.finished_at;
  return compression_of(head) != Compression::kNone || size >= known.at.bytes;
}

[[noreturn]] void fail_stored(std::string_view key, std::string_view value) {
  throw Failure(Exit::kConfig,
                fmt::format("the state holds \"{}\" for {}, which this version cannot "
                            "read: use the version that wrote it, or a new --state",
                            value, key));
}

}  // namespace

std::string hash_hex(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string format_position(const InputPosition& position) {
  const std::string text = fmt::format(
      "{} {} {} {} {}", position.head_bytes, position.head_hash, position.at.bytes,
      position.at.lines, position.half_read() ? "-" : std::to_string(*position.finished_at));
  return position.fields ? fmt::format("2 {} {}", text, stored_words(*position.fields))
                         : "1 " + text;
}

InputPosition parse_position(std::string_view key, std::string_view value) {
  const std::vector<std::string_view> words = words_of(value);
  InputPosition position;
  const bool found = words.size() == 8 && words[0] == "2";
  bool good = (found || (words.size() == 6 && words[0] == "1")) && words[2].size() == 32 &&
              read_number(words[1], position.head_bytes) &&
              read_number(words[3], position.at.bytes) && read_number(words[4], position.at.lines);
  if (good && words[5] != "-") good = read_number(words[5], position.finished_at.emplace());
  if (good && found) good = read_stored_words(words[6], words[7], position.fields.emplace());
  if (!good) fail_stored(key, value);
  position.head_hash = words[2];
  return position;
}

std::pair<std::string, std::string> stored_emit_input(std::string_view path,
                                                      const EmitInput& input) {
  return {std::string(kEmitInputPrefix).append(path),
          fmt::format("1 {} {}", input.mark, input.rows ? std::to_string(*input.rows) : "-")};
}

EmitInput parse_emit_input(std::string_view key, std::string_view value) {
  const std::vector<std::string_view> words = words_of(value);
  if (words.size() != 3 || words[0] != "1" || words[1].empty()) fail_stored(key, value);
  EmitInput input{.mark = std::string(words[1])};
  if (words[2] != "-" && !read_number(words[2], input.rows.emplace())) fail_stored(key, value);
  return input;
}

InputPlan plan_input(const InputPosition* known, std::string_view head, std::uint64_t size) {
  if (known == nullptr) return InputPlan::kFresh;
  if (!same_file(*known, head, size)) {
    if (!known->half_read()) return InputPlan::kChanged;
    return known->at.bytes == 0 ? InputPlan::kFresh : InputPlan::kConflict;
  }
  if (known->half_read()) return InputPlan::kContinue;
  return size > *known->finished_at ? InputPlan::kGrown : InputPlan::kDone;
}

}  // namespace neardup
