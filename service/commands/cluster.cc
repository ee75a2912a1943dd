#include <fmt/core.h>
#include <fmt/ranges.h>

#include <charconv>
#include <chrono>
#include <limits>

#include "pipeline/base/failure.h"
#include "service/cli/option_values.h"
#include "service/commands/cluster_command.h"
#include "service/commands/commands.h"
#include "service/kafka/cluster/command/cluster_init.h"
#include "service/kafka/cluster/command/cluster_place.h"
#include "service/kafka/cluster/command/cluster_status.h"
#include "service/log/clock.h"

namespace neardup {
namespace {

constexpr std::uint64_t kLongestWait = std::numeric_limits<std::uint32_t>::max();  // seconds

// "0,2,5" → those numbers. Throws Failure(kUsage) for anything else.
std::vector<std::uint32_t> shards_of(std::string_view option, const std::string& text) {
  const auto refuse = [&] {
    throw Failure(Exit::kUsage,
                  fmt::format("{} {}: give different numbers of shards from 0 to {}, with commas",
                              option, text, kMostShards - 1));
  };
  std::vector<std::uint32_t> shards;
  std::string_view rest = text;
  while (true) {
    const std::string_view word = rest.substr(0, rest.find(','));
    std::uint32_t shard = kMostShards;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), shard);
    if (error != std::errc() || end != word.data() + word.size() || shard >= kMostShards ||
        std::ranges::count(shards, shard) > 0) {
      refuse();
    }
    shards.push_back(shard);
    if (word.size() == rest.size()) return shards;
    rest.remove_prefix(word.size() + 1);
  }
}

}  // namespace

int run_cluster_init(const CommandLine& line) {
  return with_cluster(line, [&](ClusterClient& client, const Rule& rule) {
    const ClusterOptions& options = client.config().cluster;
    const NewCluster made = init_cluster(client, rule, line.one("--from"));
    fmt::print("cluster {} created: {}\nrule {}, first seq {}, from offset {} of topic {} on\n",
               options.name, made.uuid, made.first.rule, made.first.next, made.first.offset,
               options.log_topic());
    if (const auto state = line.one("--from")) {
      fmt::print("{} is the state of a decider now: neardup serve --role decider --state {}\n",
                 *state, *state);
    }
  });
}

int run_cluster_status(const CommandLine& line) {
  return with_cluster(line, [&](ClusterClient& client, const Rule& rule) {
    const std::string& name = client.config().cluster.name;
    const ClusterStatus status = read_cluster_status(client, rule);
    const std::int64_t now = now_ms();
    fmt::print("{}", line.has("--json") ? cluster_json(name, status, now)
                                        : cluster_text(name, status, now));
  });
}

int run_cluster_place(const CommandLine& line) {
  const auto active = line.one("--active");
  if (!active) throw Failure(Exit::kUsage, "--active is needed: shards that accept new documents");
  PlacementChange change;
  change.active = shards_of("--active", *active);
  if (const auto wait = whole_number(line, "--wait", 0, kLongestWait))
    change.wait = std::chrono::seconds(*wait);
  if (const auto answering = line.one("--answering"))
    change.answering = shards_of("--answering", *answering);
  return with_cluster(line, [&](ClusterClient& client, const Rule& rule) {
    const Placed placed = place(client, rule, change);
    fmt::print("placement {} holds from seq {} on: shards {} answer, {} accept new documents\n",
               placed.placement.epoch, placed.from, fmt::join(placed.placement.answering, ","),
               fmt::join(placed.placement.active, ","));
  });
}

}  // namespace neardup
