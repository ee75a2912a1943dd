#include "service/api/flag_feed.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace neardup {
namespace {

constexpr std::size_t kAtOnce = std::size_t{64} << 10;  // bytes
constexpr std::chrono::seconds kIdleTime{15};           // what HTML's specification proposes

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
    // An event without data only tells where the client is to go on.
    if (!told) fmt::format_to(std::back_inserter(out), "id: {}\n\n", *after_);
  }

  RecentFlags& flags_;
  std::optional<Seq> after_;  // nothing: from the oldest that is there
  const StatusSet only_;
};

}  // namespace

std::unique_ptr<HttpFeed> flag_feed(RecentFlags& flags, const FlagChoice& choice) {
  return std::make_unique<FlagFeed>(flags, choice);
}

}  // namespace neardup
