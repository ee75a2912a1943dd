// Sketched records → messages of the log (service/cluster/log_chunk.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/rule/rule.h"
#include "service/cluster/log_chunk.h"
#include "storage/rocksdb/text_codec.h"

namespace neardup {

struct ChunkOptions {
  bool texts = false;                       // also where the rule does not verify exactly
  std::size_t records = kMostChunkRecords;  // the most in a message
  std::uint64_t bytes = 900'000;            // the most of a message with several records
  std::uint64_t message_bytes = 1'000'000;  // the most that the topic takes: max.message.bytes
};

// A record that no message can hold.
struct TooLargeRecord {
  std::size_t record = 0;  // its place in the batch
  std::string detail;      // of its rejection
};

struct EncodedChunk {
  SourceRange range;
  std::string message;
  std::vector<TooLargeRecord> too_large = {};  // of its records
};

// Not thread-safe: each thread has its own.
class ChunkEncoder {
 public:
  // `cluster`: its uuid.
  ChunkEncoder(const Rule& rule, std::string cluster, const ChunkOptions& options = {});

  // Those records of `batch` that are at the places `records`, in as many messages as the limits
  // ask for; one where there is no record. Together they cover `range`, without gaps. A record that
  // no message can hold is written as rejected, with RejectReason::kTextTooLarge: only texts can be
  // that large. Requires: start < end; the records are of the range, in the order of their offsets;
  // `traces` is empty or has one for each record of the batch.
  std::vector<EncodedChunk> encode(const SourceRange& range, const SketchedBatch& batch,
                                   std::span<const std::uint32_t> records,
                                   std::span<const std::optional<TraceContext>> traces);
  // All records of the batch.
  std::vector<EncodedChunk> encode(const SourceRange& range, const SketchedBatch& batch,
                                   std::span<const std::optional<TraceContext>> traces = {});

 private:
  // The records of the message that is being filled.
  struct Open {
    std::string records;
    std::size_t count = 0;
    std::uint64_t text_bytes = 0;
    std::vector<TooLargeRecord> too_large;
  };

  std::uint64_t put_fitting(const SketchedBatch& batch, std::size_t i,
                            const std::optional<TraceContext>& trace, std::int64_t skipped,
                            std::string& out);
  void put_record(const Record& record, const SketchedBatch& batch, std::size_t i,
                  const std::optional<TraceContext>& trace, std::int64_t skipped, std::string& out);
  bool fits(std::size_t more_bytes, std::uint64_t more_text_bytes) const;
  EncodedChunk finish(const SourceRange& range);

  Rule rule_;
  std::string fingerprint_;
  std::string cluster_;
  ChunkOptions options_;
  TextCodec texts_;
  Open open_;
  // The next one.
  std::string record_;
  std::optional<TooLargeRecord> too_large_;
};

}  // namespace neardup
