// The table of configuration keys. Loading, bounds, messages, `config show`, the reference page and
// completions all come from it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "config/config.h"

namespace neardup {

// An enum field: its value, and the words in the order of the enumerators.
struct EnumSlot {
  std::uint8_t* value;
  std::span<const std::string_view> words;
};

// Where a field lies in a Config.
using TextMap = std::map<std::string, std::string>;
using Slot = std::variant<bool*, std::uint32_t*, std::uint64_t*, std::string*, Seed*, EnumSlot,
                          std::vector<std::string>*, TextMap*>;

enum class FieldType : std::uint8_t {
  kInteger,
  kBytes,     // with or without a unit: 4096, 64KiB, 2GB
  kDuration,  // 30s, 90m, 36h or 1d, held in milliseconds
  kRatio,     // decimal text, held in parts per million
  kBool,
  kEnum,
  kPointer,  // JSON pointer
  kPath,
  kSeed,
  kText,     // one line
  kTopic,    // name of a Kafka topic
  kTopics,   // a list of topic names
  kWords,    // a list of the field's words
  kHosts,    // a list of names or addresses, without ports
  kOrigins,  // a list of origins of web pages
  kAddress,  // HOST:PORT
  kAddressOrNone,
  kTextMap,  // any names, each with a text; written like a section
  kPathMap,  // any names, each with a path
};

struct Field {
  std::string_view key;  // "sketch.size"
  FieldType type;
  Slot (*slot)(Config&);
  std::uint64_t min = 0;                    // of numbers, sizes, durations (ms) and ratios (ppm)
  std::uint64_t max = 0;                    // of the same, and bytes of a text
  std::vector<std::uint64_t> choices = {};  // of an integer: the only values allowed
  std::string_view zero_word = {};          // of numbers, sizes and durations: the word for 0
  std::span<const std::string_view> words = {};  // of kWords
  // Of kEnum: words of earlier versions, each with the word that means the same.
  std::vector<std::pair<std::string_view, std::string_view>> old_words = {};
  std::vector<std::string_view> other_names = {};  // what other tools call it, for "did you mean"
  std::string_view help = {};                      // what it does
  std::string_view cost = {};                      // what another value costs; may be empty
};

// All keys of this version, in the order of the reference.
std::span<const Field> fields();

// Does the type hold a list of texts?
bool is_list(FieldType type);

// The field of a key, or nullptr.
const Field* find_field(std::string_view key);

// Each follows the section that it lies in.
struct Section {
  std::string_view name;  // "http", "http.tls"; "" for the keys without a section
  std::string_view help;
};
std::span<const Section> sections();

// "sketch" and "size" of "sketch.size"; "" and "backend" of "backend".
std::string_view section_of(std::string_view key);
std::string_view leaf_of(std::string_view key);

// Is `path` a section of this version, or a map?
bool is_section(std::string_view path);

// The map that `key` is an entry of, or nullptr: `kafka.librdkafka` of
// "kafka.librdkafka.client.id". The rest of the key, dots and all, is the entry's name.
const Field* map_of(std::string_view key);

// The environment variable that sets `key`: NEARDUP_SKETCH_SIZE.
std::string environment_name(std::string_view key);

// The key that a variable sets, "" when it names none. The name of a map's
// entry is taken in lower case with dots: NEARDUP_KAFKA_LIBRDKAFKA_CLIENT_ID.
std::string key_of_variable(std::string_view variable);

}  // namespace neardup
