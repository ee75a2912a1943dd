#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "pipeline/base/json_object.h"
#include "pipeline/base/quantities.h"
#include "service/cluster/file_source_name.h"
#include "service/commands/cluster_command.h"

namespace neardup {
namespace {

std::string shown(const std::optional<std::int64_t>& offset) {
  return offset ? fmt::format("{}", *offset) : "-";
}

std::string placement_text(const ClusterStatus& status) {
  if (status.epoch == 0) return "none: deciders need none";
  if (!status.placement) return fmt::format("{}, which the log no longer has", status.epoch);
  return fmt::format("{}: shards {} answer, {} accept new documents", status.epoch,
                     fmt::join(status.placement->answering, ","),
                     status.placement->active.empty()
                         ? "none"
                         : fmt::format("{}", fmt::join(status.placement->active, ",")));
}

std::string waiting_text(const ClusterStatus::Waiting& waiting) {
  return fmt::format("{} messages, {}{} records, {}{}", waiting.messages,
                     waiting.estimated ? "about " : "", waiting.records,
                     waiting.estimated ? "about " : "",
                     human_bytes(static_cast<double>(waiting.bytes)));
}

std::string sketchers_text(const ClusterStatus& status) {
  if (!status.group) return "not known without kafka.group_id";
  return fmt::format("{} (group {})", status.sketchers.count, *status.group);
}

std::string deciders_text(const ClusterStatus& status) {
  const ClusterStatus::Members& deciders = status.deciders;
  if (!deciders.leader) return fmt::format("{}, and none has the lease", deciders.count);
  return fmt::format("{}, and {} has the lease", deciders.count, *deciders.leader);
}

// The clocks of brokers and of this machine may differ.
double seconds_since(const ShardReport& report, std::int64_t now_ms) {
  return static_cast<double>(std::max<std::int64_t>(now_ms - report.written_ms, 0)) / 1000;
}

// Those that have written an answer, and those of the placement.
std::vector<std::uint32_t> shards_of(const ClusterStatus& status) {
  std::vector<std::uint32_t> shards;
  if (status.shards.empty()) return shards;
  if (status.placement) shards = status.placement->answering;
  for (const auto& [shard, report] : status.shards) {
    if (std::ranges::count(shards, shard) == 0) shards.push_back(shard);
  }
  std::ranges::sort(shards);
  return shards;
}

std::string shards_text(const ClusterStatus& status, std::int64_t now_ms) {
  std::string text = fmt::format("{:6}  {:>12}  {:>12}\n", "shard", "as of seq", "answered");
  for (const std::uint32_t shard : shards_of(status)) {
    const auto found = status.shards.find(shard);
    if (found == status.shards.end()) {
      text += fmt::format("{:<6}  {:>12}  {:>12}\n", shard, "-", "never");
      continue;
    }
    const std::string ago = fmt::format("{:.1f} s ago", seconds_since(found->second, now_ms));
    text += fmt::format("{:<6}  {:>12}  {:>12}\n", shard, found->second.as_of, ago);
  }
  return text;
}

// Files beyond these are only counted: a cluster may have thousands.
constexpr std::size_t kMostFilesShown = 10;

std::string files_text(std::size_t files, std::int64_t records) {
  return files == 0 ? "" : fmt::format("and {} more files with {} records\n", files, records);
}

std::string sources_text(const ClusterStatus& status) {
  std::vector<ClusterStatus::Source> sources;
  std::size_t files = 0;
  std::int64_t more_records = 0;
  for (const auto& source : status.sources) {
    if (!is_file_source(source.partition.topic) || ++files <= kMostFilesShown) {
      sources.push_back(source);
    } else {
      more_records += source.accepted.value_or(1) - 1;  // lines count from 1
    }
  }
  std::size_t width = 6;
  for (const auto& source : sources) width = std::max(width, to_text(source.partition).size());
  std::string text = fmt::format("{:{}}  {:>12}  {:>12}  {:>12}\n", "source", width, "accepted",
                                 "committed", "end");
  for (const auto& source : sources) {
    text += fmt::format("{:{}}  {:>12}  {:>12}  {:>12}\n", to_text(source.partition), width,
                        shown(source.accepted), shown(source.committed), shown(source.end));
  }
  return text + files_text(files - std::min(files, kMostFilesShown), more_records);
}

std::string number_or_null(const std::optional<std::int64_t>& number) {
  return number ? fmt::format("{}", *number) : "null";
}

std::string shards_json(const std::vector<std::uint32_t>& shards) {
  return json_list(shards, [](std::uint32_t shard) { return fmt::format("{}", shard); });
}

std::string placement_json(const ClusterStatus& status) {
  JsonObject object;
  object.number("epoch", status.epoch);
  if (status.placement) {
    object.json("answering", shards_json(status.placement->answering))
        .json("active", shards_json(status.placement->active));
  }
  return object.str();
}

std::string shards_json(const ClusterStatus& status, std::int64_t now_ms) {
  return json_list(shards_of(status), [&](std::uint32_t shard) {
    JsonObject object;
    object.number("shard", shard);
    if (const auto found = status.shards.find(shard); found != status.shards.end()) {
      object.number("as_of", found->second.as_of)
          .number("seconds_ago", seconds_since(found->second, now_ms));
    }
    return object.str();
  });
}

std::string decided_json(const Decided& last) {
  return JsonObject()
      .number("seq", last.next - 1)
      .number("offset", last.offset)
      .number("watermark", last.watermark)
      .text("stream_time", last.stream_ms == 0 ? "" : human_time(last.stream_ms))
      .text("chain", last.chain)
      .str();
}

std::string log_json(const ClusterStatus& status) {
  return JsonObject()
      .number("start", status.log.low)
      .number("end", status.log.high)
      .number("waiting_messages", status.waiting.messages)
      .number("waiting_records", status.waiting.records)
      .number("waiting_bytes", status.waiting.bytes)
      .boolean("estimated", status.waiting.estimated)
      .str();
}

std::string source_json(const ClusterStatus::Source& source) {
  return JsonObject()
      .text("topic", source.partition.topic)
      .number("partition", source.partition.partition)
      .json("accepted", number_or_null(source.accepted))
      .json("committed", number_or_null(source.committed))
      .json("end", number_or_null(source.end))
      .str();
}

std::string deciders_json(const ClusterStatus::Members& deciders) {
  JsonObject object;
  object.number("members", deciders.count);
  if (deciders.leader) object.text("leader", *deciders.leader);
  return object.str();
}

}  // namespace

std::string cluster_text(const std::string& name, const ClusterStatus& status,
                         std::int64_t now_ms) {
  const Decided& last = status.head.last;
  std::string text = fmt::format("cluster    {}, {}\n", name, status.head.uuid);
  text += fmt::format("made       {}\n", human_time(status.head.made_ms));
  text += fmt::format("rule       {}\n", last.rule);
  text +=
      fmt::format("decided    up to seq {}, at offset {} of the log\n", last.next - 1, last.offset);
  if (last.watermark > 0) text += fmt::format("forgotten  below seq {}\n", last.watermark);
  text += fmt::format("log        offsets {} to {}\n", status.log.low, status.log.high);
  text += fmt::format("waiting    {}\n", waiting_text(status.waiting));
  text += fmt::format("placement  {}\n", placement_text(status));
  text += fmt::format("sketchers  {}\n", sketchers_text(status));
  text += fmt::format("{}  {}\n", status.shards.empty() ? "deciders " : "resolvers",
                      deciders_text(status));
  if (!status.shards.empty()) text += "\n" + shards_text(status, now_ms);
  if (!status.sources.empty()) text += "\n" + sources_text(status);
  return text;
}

std::string cluster_json(const std::string& name, const ClusterStatus& status,
                         std::int64_t now_ms) {
  JsonObject object;
  object.text("cluster", name)
      .text("uuid", status.head.uuid)
      .text("made", human_time(status.head.made_ms))
      .text("rule", status.head.last.rule)
      .json("decided", decided_json(status.head.last))
      .json("log", log_json(status))
      .json("placement", placement_json(status))
      .json("deciders", deciders_json(status.deciders));
  if (!status.shards.empty()) object.json("shards", shards_json(status, now_ms));
  if (status.group) object.number("sketchers", status.sketchers.count);
  object.json("sources", json_list(status.sources, source_json));
  return object.str() + '\n';
}

}  // namespace neardup
