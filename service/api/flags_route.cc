#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/base/json_object.h"
#include "service/api/routes.h"
#include "service/http/message/message.h"
#include "service/http/message/problem.h"
#include "service/records/recent_flags.h"
#include "service/records/status_set.h"

namespace neardup {
namespace {

// What of the flags is told.
struct FlagChoice {
  // Those behind this seq, 0: from the oldest that is there; nothing: those to come.
  std::optional<Seq> after;
  StatusSet only = StatusSet().set();
};

constexpr std::size_t kAtOnce = std::size_t{64} << 10;  // bytes
constexpr std::chrono::seconds kIdleTime{15};           // what HTML's specification proposes

// Flags as server-sent events, from the moment of their commit. An event of a flag has its seq as
// `id` and its line as `data`. Where the client is overtaken, an event `missed` tells between which
// seqs. `flags` must outlive the feed.
class FlagFeed : public HttpFeed {
 public:
  FlagFeed(RecentFlags& flags, const FlagChoice& choice)
      : flags_(flags), after_(choice.after), only_(choice.only) {
    const auto range = flags.range();
    if (range) after_ = std::min(after_.value_or(range->newest), range->newest);
    if (after_ == Seq{0}) after_.reset();
  }
  ~FlagFeed() override { flags_.forget(this); }
  FlagFeed(const FlagFeed&) = delete;
  FlagFeed& operator=(const FlagFeed&) = delete;

  std::string next(const More& more) override {
    std::string out;
    for (const auto& block : flags_.behind(after_.value_or(0), this, more)) {
      if (out.size() >= kAtOnce) break;
      append(*block, out);
    }
    return out;
  }

  std::string idle() const override { return ":\n\n"; }
  std::chrono::milliseconds idle_time() const override { return kIdleTime; }

 private:
  void append(const FlagBlock& block, std::string& out) {
    const Seq first = block.entries.front().seq;
    if (after_ && first > *after_ + 1) {
      fmt::format_to(std::back_inserter(out),
                     "event: missed\ndata: {{\"after\":{},\"next\":{}}}\n\n", *after_, first);
    }
    bool told = true;  // the id of the last entry
    for (std::size_t i = 0; i < block.entries.size(); ++i) {
      const auto& [seq, status, end] = block.entries[i];
      if (after_ && seq <= *after_) continue;
      told = only_[static_cast<std::size_t>(status)];
      if (told) fmt::format_to(std::back_inserter(out), "id: {}\ndata: {}\n", seq, block.line(i));
    }
    after_ = block.entries.back().seq;
    // An event without data only sets the position at which the client resumes.
    if (!told) fmt::format_to(std::back_inserter(out), "id: {}\n\n", *after_);
  }

  RecentFlags& flags_;
  std::optional<Seq> after_;  // nothing: from the oldest that is there
  const StatusSet only_;
};

constexpr std::uint64_t kUsualFlags = 100;
constexpr std::uint64_t kMostFlags = 1000;

// Without their line ends. They refer to `blocks`.
struct Chosen {
  std::vector<std::string_view> lines;
  Seq last = 0;  // that was looked at
};

std::string_view json_of(const FlagBlock& block, std::size_t entry) {
  std::string_view line = block.line(entry);
  line.remove_suffix(1);
  return line;
}

// The first of those behind `choice.after`.
Chosen first_of(const FlagBlocks& blocks, const FlagChoice& choice, std::size_t most) {
  Chosen chosen{.lines = {}, .last = *choice.after};
  for (const auto& block : blocks) {
    for (std::size_t i = 0; i < block->entries.size(); ++i) {
      const auto& entry = block->entries[i];
      if (entry.seq <= chosen.last) continue;
      if (chosen.lines.size() == most) return chosen;
      chosen.last = entry.seq;
      if (choice.only[static_cast<std::size_t>(entry.status)])
        chosen.lines.push_back(json_of(*block, i));
    }
  }
  return chosen;
}

Chosen latest_of(const FlagBlocks& blocks, const StatusSet& only, std::size_t most) {
  Chosen chosen{.lines = {}, .last = blocks.empty() ? 0 : blocks.back()->entries.back().seq};
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    for (std::size_t i = (*block)->entries.size(); i-- > 0 && chosen.lines.size() < most;) {
      if (only[static_cast<std::size_t>((*block)->entries[i].status)])
        chosen.lines.push_back(json_of(**block, i));
    }
  }
  std::ranges::reverse(chosen.lines);
  return chosen;
}

HttpAnswer page(const RecentFlags& flags, FlagChoice choice, std::size_t most) {
  const FlagBlocks blocks = flags.behind(choice.after.value_or(0));
  const auto range = flags.range();
  // A seq of another state leads nowhere.
  if (range && choice.after) choice.after = std::min(*choice.after, range->newest);
  const Chosen chosen =
      choice.after ? first_of(blocks, choice, most) : latest_of(blocks, choice.only, most);
  JsonObject json;
  json.json("flags",
            json_list(chosen.lines, [](std::string_view line) { return std::string(line); }));
  json.number("next", chosen.last);
  if (range) json.number("oldest", range->oldest);
  return {200, json.str() + "\n", kJsonType};
}

// Where a client that has lost its connection resumes. Nothing: the header has no seq.
std::optional<Seq> last_seen(const HttpRequest& request) {
  Seq seq = 0;
  const char* const end = request.last_event.data() + request.last_event.size();
  const auto [rest, error] = std::from_chars(request.last_event.data(), end, seq);
  if (error != std::errc{} || rest != end) return {};
  return seq;
}

HttpAnswer flags_answer(RecentFlags& flags, const HttpRequest& request) {
  const auto only = status_set(request.text("only"));
  if (!only) return problem(400, "wrong_parameter", "only: " + status_set_help());
  FlagChoice choice{.after = {}, .only = *only};
  if (request.has("after")) choice.after = request.number("after", 0);
  if (request.accept.find(kEventsType) == std::string::npos)
    return page(flags, choice, request.number("limit", kUsualFlags));
  if (const auto seen = last_seen(request)) choice.after = seen;
  HttpAnswer answer{200, "", kEventsType};
  // A proxy that collects bytes would hold back what is live.
  answer.fields = {{"Cache-Control", "no-store"}, {"X-Accel-Buffering", "no"}};
  answer.feed = std::make_unique<FlagFeed>(flags, choice);
  return answer;
}

}  // namespace

HttpRoute flags_route(RecentFlags& flags) {
  return {
      .methods = {"GET"},
      .path = "/v1/flags",
      .access = HttpAccess::kRead,
      .answer = [&flags](const HttpRequest& request) { return flags_answer(flags, request); },
      .name = "list_flags",
      .about =
          "The latest flags, as far as they are still in memory, in the order of seq: `next` is "
          "the `after` of the next request, `oldest` the first seq in memory. With `Accept: "
          "text/event-stream` a live stream, one event a flag.",
      .parameters =
          {{.name = "after",
            .about = "Flags after this seq; by default the latest ones, or, live, the next ones.",
            .kind = HttpParameter::Kind::kNumber,
            .most = kMaxSeq},
           {.name = "limit",
            .about = "Maximum number of flags, unless live; default 100.",
            .kind = HttpParameter::Kind::kNumber,
            .least = 1,
            .most = kMostFlags},
           {.name = "only", .about = "Statuses, separated by commas: only their flags are sent."}},
      .gives = kJsonType,
      .feeds = kEventsType};
}

}  // namespace neardup
