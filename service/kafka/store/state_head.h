// The Kafka side of a state: the last batch it holds, and which job it belongs to.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/service_options.h"
#include "service/kafka/store/recovery_plan.h"
#include "storage/store.h"

namespace neardup {

// Meta keys. Positions have their own (positions.h): they are the source's.
inline constexpr std::string_view kMetaMark = "kafka/mark";
inline constexpr std::string_view kMetaLayout = "kafka/layout";

// Nothing for a state that no service has used. Throws Failure(kIo) for a damaged one.
std::optional<StateHead> read_head(Store& store);

std::string state_uuid(Store& store);

// A batch of the outbox. Throws Failure(kIo) for a damaged one.
std::optional<StoredBatch> read_outbox(Store& store, std::uint64_t batch);

// Cluster, group, topics and instance, one "key: value" a line. Another layout means other arrivals
// in another order: another state.
std::string layout_text(const KafkaOptions& options, std::string_view cluster_id);

enum class LayoutChange : std::uint8_t {
  kNone,
  kTopicsAdded,
  kMoved,  // to another cluster; topics may have been added, too
};

// From the layout of the state to this one. Throws Failure(kConfig) that shows both when a state
// cannot go on under the new one, or `allowed` is false and they differ.
LayoutChange layout_change(Store& store, const std::string& layout, bool allowed);

}  // namespace neardup
