// Flags as server-sent events, from the moment of their commit.
#pragma once

#include <memory>
#include <optional>

#include "service/http/message/message.h"
#include "service/records/recent_flags.h"
#include "service/records/status_set.h"

namespace neardup {

// What of the flags is told.
struct FlagChoice {
  // Those behind this seq, 0: from the oldest that is there; nothing: those to come.
  std::optional<Seq> after;
  StatusSet only = StatusSet().set();
};

// An event of a flag has its seq as `id` and its line as `data`. Where the client is overtaken, an
// event `missed` tells between which seqs. `flags` must outlive the feed.
std::unique_ptr<HttpFeed> flag_feed(RecentFlags& flags, const FlagChoice& choice);

}  // namespace neardup
