// The contents of a state, as `neardup stats` shows them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "service/file/input_position.h"
#include "storage/similar/keyword_index.h"
#include "storage/store.h"

namespace neardup {

struct StateReport {
  struct Input {
    std::string path;
    InputPosition position;
  };
  std::string path;
  std::string uuid;
  StoreSize size;
  StoredKeywords keywords;  // the index of keywords next to the database
  std::string rule;         // empty: nothing was scanned into it yet
  std::int64_t next_seq = 1;
  std::int64_t stream_time_ms = 0;  // 0: no record had a time
  std::int64_t expired_before = 0;  // smaller seqs are forgotten; 0: none
  std::uint64_t deletes = 0;        // by command, ever
  std::vector<Input> inputs;
};

// A rule text (pipeline/rule/rule.h) as an object: a field for each line, all values are texts.
std::string rule_json(std::string_view rule);

StateReport make_state_report(const std::string& path, Store& store);

std::string state_report_text(const StateReport& report);
std::string state_report_json(const StateReport& report);  // one object, one line

}  // namespace neardup
