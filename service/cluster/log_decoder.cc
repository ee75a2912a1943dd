#include "service/cluster/log_decoder.h"

#include <utility>

namespace neardup {

LogDecoder::LogDecoder(const Rule& rule, std::string cluster, SimdLevel simd)
    : cluster_(std::move(cluster)), chunks_(rule, simd) {}

LogOutcome LogDecoder::decode(std::string_view bytes, LogMessage& message) {
  const OpenedLogMessage opened = open_log_message(bytes, cluster_);
  switch (opened.outcome) {
    case LogOutcome::kChunk:
      return chunks_.decode(opened.body, message.chunk);
    case LogOutcome::kPlacement:
      return decode_placement(opened.body, message.placement);
    default:
      return opened.outcome;
  }
}

}  // namespace neardup
