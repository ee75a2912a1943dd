// The two ends of the pipeline, as it sees them. Files and Kafka implement these in service/.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/core/flag.h"
#include "pipeline/core/record.h"

namespace neardup {

struct WriteSet;

// One undecoded record. `bytes` may be read kTextPadding bytes past its end.
struct RawRecord {
  std::string_view bytes;
  SourcePosition source;
  bool too_large =
      false;  // longer than input.max_record_bytes: `bytes` is empty, `size` tells its length
  std::uint64_t size = 0;
};

// Records back to back in one buffer that lives as long as the chunk.
struct RawChunk {
  std::string buffer;
  std::vector<RawRecord> records;
};

class Source {
 public:
  virtual ~Source() = default;

  // Fills `chunk` with the next records, in order: at most `max_records`, and no further record
  // once `max_bytes` are reached. False: nothing left, and `chunk` is empty. Blocks; called from
  // one thread. Throws Failure(kUnreadable) when an input cannot be read on.
  virtual bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) = 0;

  // What to store with the batch that ends with the last record of the last chunk read: meta keys
  // and values that let a later run go on from there. Called from the thread of `read`.
  virtual std::vector<std::pair<std::string, std::string>> positions() const = 0;
};

// Bytes → Record. One per thread.
class Decoder {
 public:
  virtual ~Decoder() = default;

  // `text` is set to the raw text (valid UTF-8) of a document, valid until the next call or the end
  // of the chunk. Never throws on bad bytes: they become a rejected record with reason and detail.
  virtual Record decode(const RawRecord& raw, std::string_view& text) = 0;
};

// Where flags go, and in which order with the state.
class Delivery {
 public:
  virtual ~Delivery() = default;

  // All flags of a batch, in order, before the state is written. May add to `writes`.
  // Throws Failure(kIo) when they cannot be written.
  virtual void before_commit(std::span<const Flag> flags, WriteSet& writes) = 0;

  // The state of that batch is durable.
  virtual void after_commit() = 0;
};

}  // namespace neardup
