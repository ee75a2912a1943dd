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

[[noreturn]] void refuse_parts(const std::string& path, std::string_view what) {
  throw Failure(Exit::kUnavailable, fmt::format("{} {}", path, what));
}

class Planner {
 public:
  Planner(const MetaValues& stored, const PlanOptions& options)
      : options_(options), rescan_(options.rescan) {
    for (const auto& [key, value] : stored) {
      const InputPosition& position = known_[key] = parse_position(key, value);
      list_.half_read = list_.half_read || position.half_read();
    }
    for (const auto& [key, value] : options.emit_inputs)
      emitted_[key.substr(kEmitInputPrefix.size())] = parse_emit_input(key, value);
    // Parts of inputs that were read to their end may be missing.
    list_.half_read = list_.half_read || !emitted_.empty();
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
      if (!options_.keep_going || failure.exit() != Exit::kUnreadable) throw;
      input.skip = true;
      list_.failures.emplace_back(failure.what());
    }
  }
  void add_file(const std::string& key, PlannedInput& input) {
    RawInput file(input.path);
    input.size = file.size();
    if (options_.durable) input.key = key;
    const auto at = known_.find(key);
    const bool known = at != known_.end() && !rescan_;
    if (known) input.position = at->second;
    const InputPlan plan = plan_input(known ? &at->second : nullptr, file.head(), file.size());
    if (std::string text = apply_plan(plan, file.head(), input); !text.empty())
      note(std::move(text));
    if (!options_.keep_stored) return;
    input.form = format_and_head(std::move(file));
    const bool begun = !input.skip && input.position.at.lines > 0;
    if (begun && input.form.format == kParquetFormat) require_same_rows(key, input);
  }
  // Parts need all rows of an input, and are written when it is read a second time.
  void require_same_rows(const std::string& key, PlannedInput& input) const {
    const auto at = emitted_.find(key.substr(kInputPrefix.size()));
    if (at == emitted_.end()) {
      refuse_parts(
          input.path,
          fmt::format("has {} rows that an earlier run has decided, and parts have all rows "
                      "of an input: leave --emit out, or use a new --state",
                      input.position.at.lines));
    }
    input.mark = at->second.mark;
    if (parquet_mark(input.path) == input.mark) return;
    refuse_parts(input.path, fmt::format("was read up to row {} by an interrupted run and is "
                                         "another file now: restore it, or use a new --state",
                                         input.position.at.lines));
  }
  void note(std::string text) { list_.notes.push_back(std::move(text)); }

  const PlanOptions& options_;
  bool rescan_;
  std::map<std::string, InputPosition> known_;
  std::map<std::string, EmitInput> emitted_;  // by their paths
  std::set<std::string> given_;
  InputList list_;
};

}  // namespace

InputList plan_inputs(const std::vector<std::string>& paths, const MetaValues& stored,
                      const PlanOptions& options) {
  Planner planner(stored, options);
  for (const std::string& path : paths) planner.add(path);
  return planner.take();
}

std::string absolute_path(const std::string& path) {
  if (is_remote(path)) return std::string(without_query(path));
  return std::filesystem::absolute(path).lexically_normal().string();
}

}  // namespace neardup
