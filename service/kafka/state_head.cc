#include "service/kafka/state_head.h"

#include <fmt/format.h>

#include "pipeline/core/failure.h"

namespace neardup {
namespace {

[[noreturn]] void damaged(std::string_view what) {
  throw Failure(Exit::kIo, fmt::format("the state is damaged: {} cannot be read; restore a copy, "
                                       "or build a new state from the input",
                                       what));
}

}  // namespace

std::optional<StateHead> read_head(Store& store) {
  const auto mark_text = store.meta(kMetaMark);
  if (!mark_text) return {};
  const auto mark = decode_mark(*mark_text);
  const auto positions = decode_positions(store.meta(kMetaPositions).value_or("?"));
  if (!mark || !positions) damaged("where it stands in Kafka");
  return StateHead{*mark, *positions};
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

std::string layout_text(const KafkaOptions& options, std::string_view cluster_id) {
  return fmt::format("cluster: {}\ngroup: {}\ntopics: {}\ninstances: {}\ninstance: {}\n",
                     cluster_id, options.group_id, fmt::join(options.topics, ","),
                     options.instances, options.instance);
}

void require_same_layout(Store& store, const std::string& layout) {
  const auto stored = store.meta(kMetaLayout);
  if (!stored || *stored == layout) return;
  throw Failure(Exit::kConfig,
                fmt::format("the state was made by a service of another layout.\nThe state:\n{}The "
                            "configuration:\n{}A state holds what its own partitions brought, in "
                            "that order: use the configuration of the state, or build a new state "
                            "from the input with another kafka.group_id and storage.path.",
                            *stored, layout));
}

}  // namespace neardup
