#include "pipeline/retention/delete_log.h"

#include <fmt/core.h>

#include <charconv>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

// Takes a number and the space after it off the front of `text`.
template <class Number>
bool take(std::string_view& text, Number& number) {
  const auto end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || after == end || *after != ' ') return false;
  text.remove_prefix(static_cast<std::size_t>(after - text.data()) + 1);
  return true;
}

}  // namespace

std::string delete_meta_key(std::string_view prefix, std::uint64_t number) {
  return fmt::format("{}{:012}", prefix, number);
}

std::string encode_delete(const LoggedDelete& entry) {
  return fmt::format("{} {} {} {} {}{}", entry.before, entry.seq, entry.time_ms,
                     entry.key.name_space.size(), entry.key.name_space, entry.key.id);
}

std::optional<LoggedDelete> decode_delete(std::string_view prefix, std::string_view key,
                                          std::string_view value) {
  LoggedDelete entry;
  std::size_t name_space_bytes = 0;
  if (!key.starts_with(prefix)) return {};
  key.remove_prefix(prefix.size());
  const auto [after, error] = std::from_chars(key.data(), key.data() + key.size(), entry.number);
  if (error != std::errc() || after != key.data() + key.size()) return {};
  if (!take(value, entry.before) || !take(value, entry.seq) || !take(value, entry.time_ms) ||
      !take(value, name_space_bytes) || name_space_bytes >= value.size()) {
    return {};
  }
  entry.key = {std::string(value.substr(0, name_space_bytes)),
               std::string(value.substr(name_space_bytes))};
  return entry;
}

std::vector<LoggedDelete> read_deletes(Store& store, std::string_view prefix) {
  std::vector<LoggedDelete> entries;
  for (const auto& [key, value] : store.meta_with_prefix(prefix)) {
    auto entry = decode_delete(prefix, key, value);
    if (!entry) throw Failure(Exit::kIo, "the state is damaged: its log of deletes at " + key);
    entries.push_back(*std::move(entry));
  }
  return entries;
}

}  // namespace neardup
