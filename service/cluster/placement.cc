#include "service/cluster/placement.h"

#include <algorithm>
#include <functional>

namespace neardup {
namespace {

void put_shards(const std::vector<std::uint32_t>& shards, ByteWriter& writer) {
  writer.varint(shards.size());
  for (const std::uint32_t shard : shards) writer.varint(shard);
}

// At least one, each of another number.
bool read_shards(ByteReader& reader, std::vector<std::uint32_t>& shards) {
  const std::uint64_t count = reader.varint();
  if (count == 0 || count > kMostShards) return false;
  shards.resize(count);
  for (std::uint32_t& shard : shards) shard = reader.varint32();
  std::vector<std::uint32_t> sorted = shards;
  std::ranges::sort(sorted);
  return sorted.back() < kMostShards && std::ranges::adjacent_find(sorted) == sorted.end();
}

}  // namespace

void put_placement(const Placement& placement, ByteWriter& writer) {
  writer.varint(placement.epoch);
  put_shards(placement.answering, writer);
  put_shards(placement.active, writer);
}

bool read_placement(ByteReader& reader, Placement& placement) {
  placement.epoch = reader.varint();
  if (placement.epoch == 0 || !read_shards(reader, placement.answering) ||
      !read_shards(reader, placement.active)) {
    return false;
  }
  const auto answers = [&](std::uint32_t shard) {
    return std::ranges::binary_search(placement.answering, shard);
  };
  return std::ranges::is_sorted(placement.answering) &&
         std::ranges::all_of(placement.active, answers);
}

std::uint32_t owner_of(const Placement& placement, Seq seq, Seq block) {
  return placement.active[seq / block % placement.active.size()];
}

std::string encode_placement(std::string_view cluster, const Placement& placement) {
  std::string message = begin_log_message(LogKind::kPlacement, cluster);
  ByteWriter writer(message);
  put_placement(placement, writer);
  seal_log_message(message);
  return message;
}

LogOutcome decode_placement(std::string_view body, Placement& placement) {
  ByteReader reader(body);
  return read_placement(reader, placement) && reader.finished() ? LogOutcome::kPlacement
                                                                : LogOutcome::kDamaged;
}

}  // namespace neardup
