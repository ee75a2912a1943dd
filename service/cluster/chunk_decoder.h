// A message of the log → sketched records (service/cluster/log_chunk.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/rule/namespace_hasher.h"
#include "pipeline/rule/rule.h"
#include "service/cluster/log_chunk.h"
#include "service/cluster/log_message.h"
#include "storage/bytes.h"
#include "storage/rocksdb/text_codec.h"

namespace neardup {

struct Kernels;

// Not thread-safe: each thread has its own.
class ChunkDecoder {
 public:
  explicit ChunkDecoder(const Rule& rule, SimdLevel simd = SimdLevel::kAuto);

  // Accepts any bytes. kChunk: they are the body of a chunk of this rule, exactly as encoding
  // writes it, and `chunk` is overwritten with it. kOtherRule or kDamaged: `chunk` means nothing.
  LogOutcome decode(std::string_view body, LogChunk& chunk);

 private:
  void read_record(ByteReader& reader, std::size_t i, std::int64_t& position, LogChunk& chunk);
  void read_text(ByteReader& reader, std::size_t i, SketchedBatch& batch);
  void derive_rows(std::size_t i, SketchedBatch& batch);

  Rule rule_;
  std::string fingerprint_;
  SketchShape shape_;
  const Kernels* kernels_;
  std::vector<std::uint64_t> keys_of_bands_;
  NamespaceHasher namespace_hash_;
  TextCodec codec_;
  ChunkHead head_;  // of the message that is being read
};

}  // namespace neardup
