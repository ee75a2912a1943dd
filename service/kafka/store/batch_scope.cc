#include "service/kafka/store/batch_scope.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace neardup {
namespace {

Seq first_seq(const StoredBatch& batch) {
  return batch.flags.empty() ? batch.after.next_seq : batch.flags.front().seq;
}

}  // namespace

std::string batch_trace_id(const CommitMetadata& mark) {
  const std::string name = fmt::format("neardup batch {} {}", mark.state, mark.batch);
  const XXH128_hash_t hash = XXH3_128bits(name.data(), name.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

BatchScope::BatchScope(const StoredBatch& batch)
    : trace_id_(batch_trace_id(batch.after)),
      scope_({{"batch", batch.after.batch},
              {"first_seq", first_seq(batch)},
              {"next_seq", batch.after.next_seq},
              {"trace_id", trace_id_}}) {}

}  // namespace neardup
