#include "service/kafka/store/batch_text.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace neardup {

std::string batch_trace_id(const CommitMetadata& mark) {
  const std::string name = fmt::format("neardup batch {} {}", mark.state, mark.batch);
  const XXH128_hash_t hash = XXH3_128bits(name.data(), name.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

BatchScope::BatchScope(const StoredBatch& batch)
    : trace_id_(batch_trace_id(batch.after)),
      scope_({{"batch", batch.after.batch},
              {"first_seq", batch.first_seq()},
              {"next_seq", batch.after.next_seq},
              {"trace_id", trace_id_}}) {}

PartitionOf partition_of(const StoredBatch& batch) {
  return [&batch](std::uint32_t input) -> const TopicPartition& {
    return batch.inputs().at(input).partition;
  };
}

FlagWriter flag_writer_of(const StoredBatch& batch) {
  return {batch.rule.fingerprint, batch.rule.threshold, message_sources(partition_of(batch))};
}

FlagBlocks flag_blocks_of(const StoredBatch& batch) {
  const FlagWriter writer = flag_writer_of(batch);
  FlagBlockWriter blocks;
  std::string line;
  for (const Flag& flag : batch.flags) {
    line.clear();
    writer.append(flag, line);
    blocks.add(flag, line);
  }
  return blocks.take();
}

}  // namespace neardup
