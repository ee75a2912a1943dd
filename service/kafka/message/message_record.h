// A message of librdkafka as the pipeline's record.
#pragma once

#include <vector>

#include "pipeline/ports.h"
#include "service/kafka/client/handles.h"

namespace neardup {

// A view of the message; `headers` is where its headers are kept. `input`: the place of its
// partition in the positions.
RawRecord make_record(const rd_kafka_message_t& message, std::size_t input,
                      std::uint64_t max_record_bytes, std::vector<RawHeader>& headers);

}  // namespace neardup
