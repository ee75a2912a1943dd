// A YAML text as a flat list of keys with their lines. The only user of yaml-cpp: its events are
// read, no tree is built, so that duplicates are seen and nothing in the text can grow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

inline constexpr std::size_t kMostYamlBytes = std::size_t{1} << 20;

struct YamlItem {
  std::optional<std::string> text;  // nothing: a list, keys or nothing stand there
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
  std::vector<YamlEntry> entries;  // in the order of the text; duplicates are all there
  std::string problem;             // why reading ended early; empty: it did not
  int problem_line = 0;
};

// Anchors, aliases, tags, lists as keys, several documents, more than a few levels or ten thousand
// keys and items are problems, as is wrong YAML. What stands before the problem is in the list.
// Requires: at most kMostYamlBytes.
YamlEntries read_yaml(std::string_view text);

}  // namespace neardup
