#include "service/kafka/cluster/log/batch_of_log.h"

#include <charconv>
#include <string>

#include "pipeline/state_keys.h"
#include "service/cluster/decided.h"

namespace neardup {
namespace {

std::string_view meta(const WriteSet& writes, std::string_view key) {
  for (const auto& [name, value] : writes.meta) {
    if (name == key) return value;
  }
  return {};
}

std::int64_t number(const WriteSet& writes, std::string_view key) {
  const std::string_view text = meta(writes, key);
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

void add_log(std::string_view cluster, const WriteSet& writes, StoredBatch& batch) {
  Decided decided;
  decided.log = decode_log_state(meta(writes, kMetaLogState)).value();
  decided.rule = batch.rule.fingerprint;
  decided.first = batch.first_seq();
  decided.next = batch.after.next_seq;
  decided.offset = batch.to.front().offset;
  decided.began_ms = number(writes, kMetaStreamBegan);
  decided.stream_ms = number(writes, kMetaStreamTime);
  decided.watermark = writes.expired_before;
  decided.chain = batch.after.chain;
  batch.sources = decided.log.positions;
  batch.decided = encode_decided(cluster, decided);
}

void begin_decided_at_flags(std::string_view cluster, StoredBatch& batch) {
  Decided decided;
  if (decode_decided(batch.decided, cluster, decided) != FrameOutcome::kOpened) return;
  decided.first = batch.first_seq();
  batch.decided = encode_decided(cluster, decided);
}

}  // namespace neardup
