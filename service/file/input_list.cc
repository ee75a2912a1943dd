#include "service/file/input_list.h"

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <set>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/raw_input.h"
#include "service/file/remote_input.h"

namespace neardup {
namespace {

// A pipe may be opened only once, by its reader.
bool is_pipe(const std::string& path) {
  struct stat status {};
  if (path == "-") return true;
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

void start_over(InputPosition& position, std::string_view head) {
  position = {.head_bytes = head.size(), .head_hash = hash_hex(head)};
}

// Sets where `input` begins, and returns a note or nothing.
std::string apply_plan(InputPlan plan, std::string_view head, PlannedInput& input) {
  const std::uint64_t line = input.position.at.lines + 1;
  switch (plan) {
    case InputPlan::kFresh:
      start_over(input.position, head);
      return {};
    case InputPlan::kContinue:
      return {};
    case InputPlan::kChanged:
      start_over(input.position, head);
      return fmt::format("{} is not the file of the last run: read from its start", input.path);
    case InputPlan::kGrown:
      input.position.finished_at.reset();
      return fmt::format("{} has grown: read on from line {}", input.path, line);
    case InputPlan::kDone:
      input.skip = true;
      return fmt::format("{}: already read, skipped (--rescan reads it again)", input.path);
    case InputPlan::kConflict:
      break;
  }
  throw Failure(
      Exit::kUnavailable,
      fmt::format("{} was read up to line {} by an interrupted run and is another file now "
                  "(its beginning differs or it is shorter): restore it, or use a new --state",
                  input.path, line));
}

class Planner {
 public:
  Planner(const MetaValues& stored, bool durable, bool rescan, bool keep_going)
      : durable_(durable), rescan_(rescan), keep_going_(keep_going) {
    for (const auto& [key, value] : stored) {
      const InputPosition& position = known_[key] = parse_position(key, value);
      list_.half_read = list_.half_read || position.half_read();
    }
    if (rescan_ && list_.half_read) {
      rescan_ = false;
      note("an interrupted run is finished first: --rescan has no effect on it");
    }
  }

  void add(const std::string& path) {
    PlannedInput input{.path = path};
    const std::string name = path == "-" ? path : absolute_path(path);
    if (!given_.insert(name).second) {
      input.skip = true;
      note(fmt::format("{} is given twice: read once", path));
    } else if (!is_pipe(path)) {
      try_file(std::string(kInputPrefix) + name, input);
    }
    list_.inputs.push_back(std::move(input));
  }

  InputList take() { return std::move(list_); }

 private:
  void try_file(const std::string& key, PlannedInput& input) {
    try {
      add_file(key, input);
    } catch (const Failure& failure) {
      if (!keep_going_ || failure.exit() != Exit::kUnreadable) throw;
      input.skip = true;
      list_.failures.emplace_back(failure.what());
    }
  }
  void add_file(const std::string& key, PlannedInput& input) {
    const RawInput file(input.path);
    input.size = file.size();
    if (durable_) input.key = key;
    const auto at = known_.find(key);
    const bool known = at != known_.end() && !rescan_;
    if (known) input.position = at->second;
    const InputPlan plan = plan_input(known ? &at->second : nullptr, file.head(), file.size());
    if (std::string text = apply_plan(plan, file.head(), input); !text.empty())
      note(std::move(text));
  }
  void note(std::string text) { list_.notes.push_back(std::move(text)); }

  bool durable_;
  bool rescan_;
  bool keep_going_;
  std::map<std::string, InputPosition> known_;
  std::set<std::string> given_;
  InputList list_;
};

}  // namespace

InputList plan_inputs(const std::vector<std::string>& paths, const MetaValues& stored, bool durable,
                      bool rescan, bool keep_going) {
  Planner planner(stored, durable, rescan, keep_going);
  for (const std::string& path : paths) planner.add(path);
  return planner.take();
}

std::string absolute_path(const std::string& path) {
  if (is_remote(path)) return std::string(without_query(path));
  return std::filesystem::absolute(path).lexically_normal().string();
}

}  // namespace neardup
