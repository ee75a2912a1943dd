// The order in which the records of a batch were read, as one message (docs/formats/order.md).
//
//   message := version:u8  bytes(mark)  first:varint  frame
//   frame   := size:varint, then a zstd frame of:
//              bytes(places)  with version 2: bytes(topic ids)
//              runs:varint  input:varint…  gap:varint…  more:varint…
//   version := 2 where the id of a topic is known, else 1
//
// A run is more + 1 records of one partition with successive offsets; `input` is the partition's
// line in places. The three numbers of all runs are stored in columns: most are equal and compress
// to almost nothing. gap: the offsets between the partition's previous run and this one; for its
// first run the offset itself. mark and places are those after the batch (kafka/mark,
// kafka/positions), topic ids those of the topics of places (kafka/topic_ids).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/kafka/message/commit_metadata.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/message/topic_ids.h"
#include "service/kafka/store/stored_batch.h"

namespace neardup {

struct OrderRun {
  std::uint32_t input = 0;    // place of the partition
  std::int64_t offset = 0;    // of the first record
  std::uint64_t records = 0;  // at least one
  bool operator==(const OrderRun&) const = default;
};

struct OrderMessage {
  CommitMetadata after;
  Seq first = 0;  // seq of the first record
  Positions places;
  TopicIds ids;  // of their topics, as far as they are known
  std::vector<OrderRun> runs;
};

// `ids`: of the topics that the batch was read from. Requires: the batch has flags.
std::string encode_order(const StoredBatch& batch, const TopicIds& ids);
std::string encode_order(const OrderMessage& order);

// Nothing unless the bytes are an order message whose runs hold exactly the records first …
// next_seq − 1.
std::optional<OrderMessage> decode_order(std::string_view bytes);

// Decodes only mark and first seq, without the frame.
std::optional<OrderMessage> decode_order_head(std::string_view bytes);

}  // namespace neardup
