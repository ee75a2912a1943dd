#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>

#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "pipeline/base/signals.h"
#include "service/cli/option_values.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/commands/file_reading.h"
#include "service/commands/state_settings.h"
#include "service/file/flags_file.h"
#include "service/groups/flags_reader.h"
#include "service/groups/grouping.h"
#include "service/groups/input_facts.h"
#include "service/state/group_report.h"

namespace neardup {
namespace {

constexpr std::size_t kLinesAtOnce = std::size_t{1} << 20;  // bytes
constexpr std::uint64_t kUsualGroups = 20;
constexpr std::uint64_t kMostGroups = 1'000'000;

Grouping groups_in(const std::vector<std::string>& flags, const std::atomic<bool>& stop) {
  Grouping grouping;
  FlagsReader reader(flags, stop);
  read_flags(reader, stop, [&](const FlagLine& flag) {
    grouping.add(flag);
    return true;
  });
  if (!stop) require_flags(reader.counts(), flags.front());
  grouping.finish();
  return grouping;
}

void read_inputs(const std::vector<std::string>& paths, const InputOptions& input,
                 const std::vector<std::string>& scores, const std::atomic<bool>& stop,
                 InputFacts& facts) {
  OutputOptions all_facts;
  all_facts.fields.assign(kPassedOnFields.begin(), kPassedOnFields.end());
  FileSourceOptions options = reading(input, all_facts, stop);
  for (const std::string& pointer : scores) options.fields.push_back({pointer});
  FileSource source(paths, {}, options);
  read_records(source, stop, [&](const RawRecord& record) {
    facts.add(record);
    return true;
  });
  facts.finish();
}

std::vector<MemberFacts> facts_of_members(const Group& group, const InputFacts& facts) {
  std::vector<MemberFacts> members;
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const Member& member = group.members[i];
    members.push_back({member.seq, member.facts, facts.scores_of(group.first + i)});
  }
  return members;
}

std::string line_of(const Group& group, std::size_t survivor, const Grouping& grouping) {
  std::vector<std::string> ids;
  for (const Member& member : group.members) ids.emplace_back(grouping.name_of(member).id);
  JsonObject line;
  line.text("group", group.original.id);
  if (!group.original.name_space.empty()) line.text("namespace", group.original.name_space);
  line.number("seq", group.seq).text("survivor", ids[survivor]).json("members", json_texts(ids));
  return line.str() + '\n';
}

void write_groups(const Grouping& grouping, const Preference& preference, const InputFacts& facts,
                  FlagsFile& out) {
  std::string lines;
  grouping.each([&](const Group& group) {
    const std::size_t survivor = preference.best(facts_of_members(group, facts));
    lines += line_of(group, survivor, grouping);
    if (lines.size() < kLinesAtOnce) return;
    out.append(lines);
    lines.clear();
  });
  out.append(lines);
}

void require_files_of_their_own(const std::string& output, const std::vector<std::string>& flags,
                                const std::vector<std::string>& inputs) {
  require_output_is_no_input(output, flags);
  require_output_is_no_input(output, inputs);
  const auto reads_stdin = [](const auto& paths) {
    return std::ranges::find(paths, "-") != paths.end();
  };
  if (reads_stdin(flags) && reads_stdin(inputs)) {
    throw Failure(Exit::kUsage, "standard input is read once: give FLAGS or --inputs as a file");
  }
}

void refuse_options(const CommandLine& line, std::initializer_list<const char*> names,
                    std::string_view form) {
  for (const char* name : names) {
    if (line.has(name)) throw Failure(Exit::kUsage, fmt::format("{} is only {}", name, form));
  }
}

int groups_of_flags(const CommandLine& line) {
  refuse_options(line, {"--top", "--json"}, "with --state");
  const std::atomic<bool>& stop = stop_requested();
  const Config config = load_configuration(line, ConfigUse::kTemporaryState);
  const Preference preference(line.one("--prefer").value_or("oldest"));
  const std::vector<std::string> flags = line.all("FLAGS"), inputs = expanded(line.all("--inputs"));
  const std::string output = line.one("--output").value_or("");
  require_files_of_their_own(output, flags, inputs);
  // Whether scores can be had is known before anything is read.
  preference.require(
      {true, true, std::vector<bool>(preference.score_pointers().size(), !inputs.empty())});
  Grouping grouping = groups_in(flags, stop);
  InputFacts facts(config.input, config.text, preference.score_pointers(), grouping);
  if (!inputs.empty()) read_inputs(inputs, config.input, preference.score_pointers(), stop, facts);
  if (stop) return stop_status();
  if (!grouping.members().empty()) preference.require(facts.known());
  FlagsFile out({.path = output, .stored = {}});
  write_groups(grouping, preference, facts, out);
  return 0;
}

int groups_of_state(const CommandLine& line) {
  refuse_options(line, {"--prefer", "--inputs", "--output"}, "for flags files");
  const auto top = whole_number(line, "--top", 1, kMostGroups).value_or(kUsualGroups);
  const auto store = open_existing_state(line, OpenMode::kReadOnly);
  settings_for(line, ConfigUse::kIds, *store);  // refuses what contradicts the rule
  const auto groups = store->largest_groups(top);
  fmt::print("{}", line.has("--json") ? groups_json(groups) + "\n" : groups_text(groups));
  return 0;
}

}  // namespace

int run_groups(const CommandLine& line) {
  const bool of_flags = !line.all("FLAGS").empty();
  if (of_flags == line.has("--state"))
    throw Failure(Exit::kUsage, "give flags files, or --state DIR for the groups of a state");
  return of_flags ? groups_of_flags(line) : groups_of_state(line);
}

}  // namespace neardup
