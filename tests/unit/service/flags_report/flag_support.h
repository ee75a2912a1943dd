// Flags for the tests of reports.
#pragma once

#include <string>
#include <vector>

#include "pipeline/base/json_object.h"
#include "service/groups/flags_reader.h"

namespace neardup {

// Flags as lines of a file; each gets the next seq.
class FlagLines {
 public:
  // `line`: of the input; 0: the number of the flag.
  FlagLines& add(Status status, const std::string& id, std::uint64_t line = 0) {
    start(status, id);
    return end(line);
  }
  FlagLines& copy(const std::string& id, Seq original, const std::string& original_id,
                  Ppm similarity = 900'000, std::uint64_t line = 0) {
    start(similarity == kOne ? Status::kExactDuplicate : Status::kNearDuplicate, id);
    json_.text("duplicate_of", original_id).number("duplicate_of_seq", original);
    json_.decimals("similarity", similarity / 1e6, 3);
    return end(line);
  }

  std::string rule = "5f0c000000000001";
  std::string source = "docs.jsonl";
  std::string text;  // all lines

 private:
  void start(Status status, const std::string& id) {
    json_ = JsonObject();
    json_.text("id", id).number("seq", ++seq_).text("status", name(status));
  }
  FlagLines& end(std::uint64_t line) {
    json_.number("threshold", 0.8).text("rule", rule);
    JsonObject place;
    place.text("file", source).number("line", line == 0 ? seq_ : line);
    text += json_.json("source", place.str()).str() + "\n";
    return *this;
  }

  Seq seq_ = 0;
  JsonObject json_;
};

// A flag and what it says, for what takes no reader.
struct ReadFlag {
  FlagLine flag;
  FlagEvidence evidence;
};

inline ReadFlag copy_of(Seq original, std::string_view original_id, Seq seq,
                        Ppm similarity = 900'000) {
  return {.flag = {.status = Status::kNearDuplicate,
                   .seq = seq,
                   .id = "copy",
                   .original = original,
                   .original_id = original_id},
          .evidence = {.line = "{}", .threshold = 800'000, .similarity = similarity}};
}

}  // namespace neardup
