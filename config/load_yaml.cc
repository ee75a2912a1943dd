#include "config/load_yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

namespace neardup {
namespace {

constexpr std::size_t kMostLevels = 8;
constexpr std::size_t kMostEntries = 10'000;  // keys and items
constexpr std::size_t kLongestKey = 128;

// Ends the parse.
struct Stop {
  std::string problem;
  int line;
};

int line_of(const YAML::Mark& mark) { return mark.line + 1; }

class Flattener : public YAML::EventHandler {
 public:
  explicit Flattener(std::vector<YamlEntry>& entries) : entries_(entries) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1)
      throw Stop{"a second YAML document begins; use one per file", line_of(mark)};
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_extras(mark, "", anchor);
    if (list_depth_ > 0) return add_item(mark, std::nullopt);
    if (levels_.empty()) return;  // nothing but comments
    add(mark, YamlEntry::Kind::kNothing, {});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Stop{"aliases (*) are not supported; write the value out", line_of(mark)};
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_extras(mark, tag, anchor);
    if (list_depth_ > 0) return add_item(mark, value);
    if (levels_.empty())
      throw Stop{"expected keys with values, as in `threshold: 0.8`", line_of(mark)};
    if (levels_.back().key) {
      add(mark, YamlEntry::Kind::kValue, value);
    } else {
      begin_key(mark, value);
    }
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    refuse_extras(mark, tag, anchor);
    if (levels_.empty()) throw Stop{"expected keys with values, not a list", line_of(mark)};
    if (list_depth_ > 0) {
      add_item(mark, std::nullopt);
    } else {
      add(mark, YamlEntry::Kind::kList, {});
    }
    ++list_depth_;
  }
  void OnSequenceEnd() override { --list_depth_; }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    refuse_extras(mark, tag, anchor);
    if (list_depth_ > 0) {
      add_item(mark, std::nullopt);
      ++list_depth_;
    } else if (levels_.empty()) {
      levels_.emplace_back();
    } else {
      add(mark, YamlEntry::Kind::kSection, {});
      if (levels_.size() == kMostLevels) throw Stop{"nested too deep", line_of(mark)};
      levels_.push_back({entries_.back().path + ".", {}, 0});
    }
  }
  void OnMapEnd() override {
    if (list_depth_ > 0) {
      --list_depth_;
    } else {
      levels_.pop_back();
    }
  }

 private:
  // An open map.
  struct Level {
    std::string prefix;
    std::optional<std::string> key;  // read, but not its value yet
    int line = 0;                    // of `key`
  };

  static void refuse_extras(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != 0)
      throw Stop{"anchors (&) are not supported; write the value out", line_of(mark)};
    if (!tag.empty() && tag != "?" && tag != "!") {
      throw Stop{"tags (!) are not supported; write the plain value", line_of(mark)};
    }
  }

  void begin_key(const YAML::Mark& mark, const std::string& key) {
    if (key.size() > kLongestKey) throw Stop{"a key is too long", line_of(mark)};
    levels_.back().key = key;
    levels_.back().line = line_of(mark);
  }

  // Skips what is nested in an item.
  void add_item(const YAML::Mark& mark, std::optional<std::string> text) {
    if (list_depth_ > 1) return;
    count(mark);
    entries_.back().items.push_back({std::move(text), line_of(mark)});
  }

  void add(const YAML::Mark& mark, YamlEntry::Kind kind, const std::string& value) {
    Level& level = levels_.back();
    if (!level.key) throw Stop{"a key must be a plain word", line_of(mark)};
    count(mark);
    entries_.push_back({level.prefix + *level.key, value, kind, level.line});
    level.key.reset();
  }

  void count(const YAML::Mark& mark) {
    if (count_ == kMostEntries) throw Stop{"too many keys", line_of(mark)};
    ++count_;
  }

  std::vector<YamlEntry>& entries_;
  std::vector<Level> levels_;   // the open maps, outermost first
  std::size_t list_depth_ = 0;  // open lists and maps at and below the outermost list
  std::size_t count_ = 0;       // of keys and items
  int documents_ = 0;
};

}  // namespace

YamlEntries read_yaml(std::string_view text) {
  YamlEntries result;
  // yaml-cpp 0.7 misses a quote that is never closed when blanks or a line break end the text.
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  std::istringstream stream{std::string(text)};
  Flattener flattener(result.entries);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(flattener)) {
    }
  } catch (const Stop& stop) {
    result.problem = stop.problem;
    result.problem_line = stop.line;
  } catch (const YAML::Exception& error) {
    result.problem = "not valid YAML: " + error.msg;
    // Some messages end with the character that was wrong.
    std::ranges::replace_if(
        result.problem, [](char c) { return c >= 0 && c < ' '; }, '?');
    result.problem_line = line_of(error.mark);
  }
  return result;
}

}  // namespace neardup
