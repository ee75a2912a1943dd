// The decisions about a batch of the log: the message of the topic of decisions.
//
//   decided    := bytes(rule) first:varint next:varint offset:varint bytes(log)
//                 began_ms:u64le stream_ms:u64le watermark:varint bytes(chain)
//                 bits:u8 [effects] [ages] [placement]
//                 bits: 1 again, 2 effects, 4 ages, 8 placement
//
// The body of a message (service/cluster/log_message.h). The last message of the topic is a
// checkpoint: it says where any process of the cluster begins. Effects, ages and placement are for
// shards and for who decides from their answers (service/cluster/effects_codec.h, placement.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/model/types.h"
#include "pipeline/shard/effect.h"
#include "service/cluster/log_message.h"
#include "service/cluster/log_order.h"
#include "service/cluster/placement.h"
#include "storage/store.h"

namespace neardup {

struct Decided {
  std::string rule;  // fingerprint, 16 hex digits
  Seq first = 1;     // of its records
  Seq next = 1;      // after its records; equal to `first`: it has none
  // Of the next message of the log to read, and the state of a reader before it. A batch may end
  // within a message: then records of it, those below `next`, are decided already.
  std::int64_t offset = 0;
  LogState log;
  std::int64_t began_ms = 0;  // stream time (pipeline/retention/stream_time.h)
  std::int64_t stream_ms = 0;
  Seq watermark = 0;                 // documents of smaller seqs have expired
  std::string chain;                 // over all flags up to the last record, 32 hex digits
  bool again = false;                // shards resend answers, from the record `next` on
  std::vector<Effect> effects = {};  // of its records, where shards keep the documents; else none
  std::vector<Age> ages = {};        // of its versions, where retention needs them; else none
  // The one of `log`, where shards keep the documents and one is in force: the log need not hold it
  // any more.
  std::optional<Placement> placement = {};
  bool operator==(const Decided&) const = default;
};

std::string encode_decided(std::string_view cluster, const Decided& decided);

// Accepts any bytes. kOpened: they are a message of this cluster, exactly as encoding writes it,
// and `decided` is overwritten with it.
FrameOutcome decode_decided(std::string_view message, std::string_view cluster, Decided& decided);

}  // namespace neardup
