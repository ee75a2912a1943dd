// The service's data in a state: its last batch, the outbox, and the layout that it belongs to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/service_options.h"
#include "service/kafka/store/recovery_plan.h"
#include "storage/store.h"

namespace neardup {

// Meta keys. That of the positions is kMetaPositions (positions.h).
inline constexpr std::string_view kMetaMark = "kafka/mark";
inline constexpr std::string_view kMetaLayout = "kafka/layout";

// Nothing for a state that no service has used. Throws Failure(kIo) for a damaged one.
std::optional<StateHead> read_head(Store& store);

std::string state_uuid(Store& store);

// A batch of the outbox. Throws Failure(kIo) for a damaged one.
std::optional<StoredBatch> read_outbox(Store& store, std::uint64_t batch);

// The numbers of the batches in the outbox, in order, without a gap up to `last`.
std::vector<std::uint64_t> outbox_up_to(Store& store, std::uint64_t last);

// The layout: cluster, group, topics and instance, one "key: value" a line. Another layout would
// give other records in another order, so it needs another state.
std::string layout_text(const KafkaOptions& options, std::string_view cluster_id);

enum class LayoutChange : std::uint8_t {
  kNone,
  kTopicsAdded,
  kMoved,  // to another cluster; topics may have been added, too
};

// Compares the layout of the state with `layout`. Throws Failure(kConfig) that shows both when they
// differ and the state cannot follow, or `allowed` (--change-layout) is false.
LayoutChange layout_change(Store& store, const std::string& layout, bool allowed);

}  // namespace neardup
