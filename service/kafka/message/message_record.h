// Converts a message of librdkafka to a record of the pipeline.
#pragma once

#include <vector>

#include "pipeline/ports.h"
#include "service/kafka/client/handles.h"

namespace neardup {

// A view of the message, valid as long as the message and `headers`, which is overwritten with its
// headers. `input`: the place of its partition in the positions.
RawRecord make_record(const rd_kafka_message_t& message, std::size_t input,
                      std::uint64_t max_record_bytes, std::vector<RawHeader>& headers);

}  // namespace neardup
