// Detects that every record of a run is rejected: most likely a setting is wrong, not the data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/service_options.h"
#include "pipeline/model/record.h"
#include "pipeline/ports.h"

namespace neardup {

class AllRejected {
 public:
  // paths[i] is the name of input i. Copies both.
  AllRejected(const InputOptions& input, std::vector<std::string> paths);

  // Adds the next record of the run and its reason (kNone: accepted), in the order of the inputs.
  // Parses only the first record of each reason, and none after a record was accepted.
  void add(const RawRecord& raw, RejectReason reason, std::string_view detail);

  // One sentence that says what is wrong with the first record of the most frequent reason and
  // which setting fixes it. Empty when there was no record, or one that was not rejected.
  std::string sentence() const;

 private:
  struct Example {
    std::uint64_t records = 0;
    SourcePosition source;
    std::string advice;
  };

  InputOptions input_;
  std::vector<std::string> paths_;
  std::map<RejectReason, Example> by_reason_;
  std::uint64_t records_ = 0;
  bool one_taken_ = false;
};

}  // namespace neardup
