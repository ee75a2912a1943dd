#include "service/kafka/store/batch_flags.h"

namespace neardup {

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
