// A message of the log → sketched records (service/cluster/log_chunk.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpu/cpu/kernels/kernels.h"
#include "pipeline/rule/namespace_hasher.h"
#include "pipeline/rule/rule.h"
#include "service/cluster/log_chunk.h"
#include "service/cluster/log_message.h"
#include "storage/bytes.h"
#include "storage/rocksdb/text_codec.h"

namespace neardup {

// Not thread-safe: each thread has its own.
class ChunkDecoder {
 public:
  explicit ChunkDecoder(const Rule& rule, SimdLevel simd = SimdLevel::kAuto);

  // Accepts any bytes. kChunk: they are the body of a chunk of this rule, exactly as encoding
  // writes it, and `chunk` is overwritten with it. kOtherRule or kDamaged: `chunk` means nothing.
  LogOutcome decode(std::string_view body, LogChunk& chunk);

 private:
  bool read_head(ByteReader& reader, LogChunk& chunk);
  bool read_records(ByteReader& reader, LogChunk& chunk);
  bool read_record(ByteReader& reader, std::size_t i, LogChunk& chunk);
  bool read_document(ByteReader& reader, std::size_t i, SketchedBatch& batch);
  bool read_sketch(ByteReader& reader, std::size_t i, SketchedBatch& batch);
  bool read_text(ByteReader& reader, std::size_t i, SketchedBatch& batch);

  Rule rule_;
  std::string fingerprint_;
  SketchShape shape_;
  const Kernels* kernels_;
  std::vector<std::uint64_t> keys_of_bands_;
  NamespaceHasher namespace_hash_;
  TextCodec codec_;
  // Of the message that is being read.
  std::size_t records_ = 0;
  bool has_texts_ = false;
  std::int64_t position_ = 0;
};

}  // namespace neardup
