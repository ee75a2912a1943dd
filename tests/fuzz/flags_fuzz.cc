// Flags files, as `groups` and `report` read them. They are refused, or groups have at least two
// documents, each in one group, and a report is JSON of bounded size.
#include <simdjson.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "pipeline/base/failure.h"
#include "service/flags_report/flags_report.h"
#include "service/groups/grouping.h"
#include "tests/fuzz/input_file.h"

namespace neardup {
namespace {

constexpr std::size_t kMostBytes = 8'000'000;  // of a report
const std::atomic<bool> kNoStop{false};

void require(bool holds) {
  if (!holds) std::abort();
}

void expect_survivor(const Group& group, const Preference& preference) {
  std::vector<MemberFacts> facts;
  for (const Member& member : group.members) facts.push_back({member.seq, member.facts, {}});
  require(preference.best(facts) < facts.size());
}

void group(const std::string& path) {
  static const Preference preference("https,shortest_url,longest,newest");
  Grouping grouping;
  FlagsReader reader({path}, kNoStop);
  for (FlagLine flag; reader.next(flag);) grouping.add(flag);
  grouping.finish();
  std::set<std::pair<std::string, std::string>> names;
  Seq before = 0;
  grouping.each([&](const Group& group) {
    require(group.members.size() > 1 && group.seq > before);
    before = group.seq;
    for (const Member& member : group.members) {
      const auto [name_space, id] = grouping.name_of(member);
      require(names.emplace(name_space, id).second);
      require(grouping.find({name_space, id}).has_value());
    }
    expect_survivor(group, preference);
  });
}

void report(const std::string& path, bool compares) {
  FlagsReport report(Rule(), compares);
  FlagsReader reader({path}, kNoStop);
  for (FlagLine flag; reader.next(flag);) report.add(flag, reader);
  const auto pairs = report.pairs();
  PairTexts texts(pairs, {"/in.jsonl"}, Config());
  FlagsReader again({path}, kNoStop);
  for (FlagLine flag; again.next(flag) && texts.add_flag(flag, again);) {
  }
  std::vector<std::string> shown;
  for (const SampledPair& pair : pairs)
    shown.push_back(pair_json(pair, texts, Rule(), SimdLevel::kAuto));
  const std::string json = report.json({"title", "made", "version"}, shown, texts.notes());
  require(json.size() <= kMostBytes);
  simdjson::dom::parser parser;
  require(parser.parse(simdjson::padded_string(json)).error() == simdjson::SUCCESS);
}

template <class Read>
void refused_or_read(const Read& read) {
  try {
    read();
  } catch (const Failure& failure) {
    require(failure.exit() == Exit::kUnreadable);
  }
}

}  // namespace
}  // namespace neardup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const neardup::InputFile file({reinterpret_cast<const char*>(data), size});
  neardup::refused_or_read([&] { neardup::group(file.path()); });
  for (const bool compares : {false, true})
    neardup::refused_or_read([&] { neardup::report(file.path(), compares); });
  return 0;
}
