#include "service/kafka/store/state_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

[[noreturn]] void damaged(std::string_view what) {
  throw Failure(Exit::kIo, fmt::format("the state is damaged: {} cannot be read; restore a copy, "
                                       "or build a new state from the input",
                                       what));
}

using Layout = std::map<std::string, std::string>;

// Parses what layout_text writes: the values by key.
Layout parse_layout(std::string_view text) {
  Layout layout;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t colon = line.find(": ");
    if (colon == line.npos) damaged("its layout");
    layout.emplace(line.substr(0, colon), line.substr(colon + 2));
  }
  for (const char* name : {"cluster", "group", "topics", "instances", "instance"}) {
    if (!layout.contains(name)) damaged("its layout");
  }
  return layout;
}

std::set<std::string> topics_of(const Layout& layout) {
  std::set<std::string> topics;
  std::istringstream names(layout.at("topics"));
  for (std::string name; std::getline(names, name, ',');) topics.insert(name);
  return topics;
}

// Whether the state can continue under the layout `now`: only the cluster may differ, and topics
// may have been added.
bool can_follow(const Layout& before, const Layout& now) {
  for (const char* name : {"group", "instances", "instance"}) {
    if (before.at(name) != now.at(name)) return false;
  }
  return std::ranges::includes(topics_of(now), topics_of(before));
}

[[noreturn]] void refuse_layout(const std::string& stored, const std::string& layout,
                                std::string_view remedy) {
  throw Failure(Exit::kConfig,
                fmt::format("the state was made by a service of another layout.\nThe state:\n{}The "
                            "configuration:\n{}{}",
                            stored, layout, remedy));
}

}  // namespace

std::optional<StateHead> read_head(Store& store) {
  const auto mark_text = store.meta(kMetaMark);
  if (!mark_text) return {};
  const auto mark = decode_mark(*mark_text);
  const auto positions = decode_positions(store.meta(kMetaPositions).value_or("?"));
  const auto ids = decode_topic_ids(store.meta(kMetaTopicIds).value_or(""));
  if (!mark || !positions || !ids) damaged("its positions in Kafka");
  return StateHead{*mark, *positions, *ids};
}

std::string state_uuid(Store& store) {
  const auto uuid = store.meta("uuid");
  if (!uuid) damaged("its uuid");
  return *uuid;
}

std::optional<StoredBatch> read_outbox(Store& store, std::uint64_t batch) {
  const auto bytes = store.outbox(batch);
  if (!bytes) return {};
  auto stored = decode_batch(*bytes);
  if (!stored || stored->after.batch != batch) damaged(fmt::format("outbox batch {}", batch));
  return stored;
}

std::vector<std::uint64_t> outbox_up_to(Store& store, std::uint64_t last) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = last; store.outbox(number); --number) {
    numbers.push_back(number);
    if (number == 0) break;
  }
  std::ranges::reverse(numbers);
  return numbers;
}

std::string layout_text(const KafkaOptions& options, std::string_view cluster_id) {
  return fmt::format("cluster: {}\ngroup: {}\ntopics: {}\ninstances: {}\ninstance: {}\n",
                     cluster_id, options.group_id, fmt::join(options.topics, ","),
                     options.instances, options.instance);
}

LayoutChange layout_change(Store& store, const std::string& layout, bool allowed) {
  const auto stored = store.meta(kMetaLayout);
  if (!stored || *stored == layout) return LayoutChange::kNone;
  const Layout before = parse_layout(*stored);
  const Layout now = parse_layout(layout);
  const bool moved = before.at("cluster") != now.at("cluster");
  if (!can_follow(before, now)) {
    refuse_layout(*stored, layout,
                  "A state holds the records of its partitions, in that order: use the "
                  "configuration of the state, or build a new state from the input with another "
                  "kafka.group_id and storage.path.");
  }
  if (!allowed) {
    refuse_layout(*stored, layout,
                  moved ? "If the service is moving to another cluster (see docs/operations.md), "
                          "start once with --change-layout."
                        : "If topics were added, start once with --change-layout: they are read "
                          "from their beginning.");
  }
  return moved ? LayoutChange::kMoved : LayoutChange::kTopicsAdded;
}

}  // namespace neardup
