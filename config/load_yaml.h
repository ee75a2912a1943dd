// Reads a YAML text as a flat list of keys with their lines. The only user of yaml-cpp. It handles
// parser events and builds no tree: duplicate keys stay visible, and no text can expand in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

inline constexpr std::size_t kMostYamlBytes = std::size_t{1} << 20;

struct YamlItem {
  std::optional<std::string> text;  // nothing: the item is empty, a list or a map
  int line = 0;                     // from 1; of a bare `-`, that of what follows it
};

struct YamlEntry {
  enum class Kind : std::uint8_t {
    kSection,  // a map; its own keys follow
    kValue,
    kNothing,  // a key without a value
    kList,
  };
  std::string path;  // "sketch.size"
  std::string value;
  Kind kind = Kind::kValue;
  int line = 0;                      // of the key, from 1
  std::vector<YamlItem> items = {};  // of a list
};

struct YamlEntries {
  std::vector<YamlEntry> entries;  // in the order of the text, with duplicates
  std::string problem;             // why reading ended early; empty: it did not
  int problem_line = 0;
};

// Reads up to the first problem: invalid YAML, anchors, aliases, tags, lists as keys, a second
// document, a key of more than 128 bytes, more than 8 levels, or more than 10 000 keys and items.
// Requires: `text` has at most kMostYamlBytes bytes.
YamlEntries read_yaml(std::string_view text);

}  // namespace neardup
