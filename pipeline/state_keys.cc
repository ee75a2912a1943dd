#include "pipeline/state_keys.h"

#include <charconv>

namespace neardup {

std::int64_t meta_number(Store& store, std::string_view key, std::int64_t otherwise) {
  const std::optional<std::string> text = store.meta(key);
  if (!text) return otherwise;
  std::int64_t value = otherwise;
  std::from_chars(text->data(), text->data() + text->size(), value);
  return value;
}

}  // namespace neardup
