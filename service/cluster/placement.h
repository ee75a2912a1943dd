// Which shards of a cluster answer, and which take new documents, from a place in the log on.
//
//   placement := epoch:varint answering:varint shard:varint… active:varint shard:varint…
//
// The body of a message (service/cluster/log_message.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/model/types.h"
#include "service/cluster/log_message.h"
#include "storage/bytes.h"

namespace neardup {

// Successive seqs, the first one a multiple of this number, go to one shard: as many as a run of
// packed 1-bit sketches has.
inline constexpr Seq kBlockSeqs = 4096;

// Shards are partitions of the topic of answers, so their number is limited.
inline constexpr std::uint32_t kMostShards = 64;

struct Placement {
  // Counts only while the placement `epoch` − 1 holds (0: none yet), so that of several writers
  // that start from the same one only the first succeeds.
  std::uint64_t epoch = 1;
  std::vector<std::uint32_t> answering;  // ascending, each below kMostShards
  std::vector<std::uint32_t> active;     // in the order in which they take blocks; some of these
  bool operator==(const Placement&) const = default;
};

// The one that holds before any is in the log: shard 0 answers and takes all documents.
inline Placement first_placement() { return {.epoch = 0, .answering = {0}, .active = {0}}; }

// The shard that keeps the document of a seq for which this placement holds.
std::uint32_t owner_of(const Placement& placement, Seq seq, Seq block = kBlockSeqs);

// A part of a message. Reading accepts any bytes; false: damaged.
void put_placement(const Placement& placement, ByteWriter& writer);
bool read_placement(ByteReader& reader, Placement& placement);

std::string encode_placement(std::string_view cluster, const Placement& placement);

// Accepts any bytes. kPlacement: they are the body of one, exactly as encoding writes it, and
// `placement` is overwritten with it. Otherwise kDamaged.
LogOutcome decode_placement(std::string_view body, Placement& placement);

}  // namespace neardup
