// The two ends of the pipeline, as it sees them. Files and Kafka implement these in service/.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/model/flag.h"
#include "pipeline/model/record.h"
#include "pipeline/model/sketched_batch.h"

namespace neardup {

struct WriteSet;

// A header of a message; nullopt: a null value.
struct RawHeader {
  std::string_view name;
  std::optional<std::string_view> value;
};

// Where the id and the text of the records of an input are, as its source found.
struct FoundFields {
  std::string id = {};     // JSON pointer of a string or a number; empty: the id is `input`:place
  std::string text = {};   // JSON pointer of a string
  bool usual = false;      // strings at /id, texts at /text: records are decoded as without this
  std::string input = {};  // its name, as given
};

// One undecoded record. `bytes` may be read kTextPadding bytes past its end.
struct RawRecord {
  std::string_view bytes;
  SourcePosition source;
  bool too_large = false;  // longer than input.max_record_bytes: `size` is the length, and `bytes`
                           // may be empty and must not be decoded
  std::uint64_t size = 0;
  std::string_view stored = {};         // of a file whose records are kept: as the file has it
  const FoundFields* fields = nullptr;  // null: as the settings say; outlives the chunk
  bool faulty = false;  // no record: `bytes` are a sentence about what is wrong in the input

  // For messages only; records of files have none of these.
  bool has_value = true;  // false: a null value
  std::optional<std::string_view> key = {};
  std::span<const RawHeader> headers = {};
  std::optional<std::int64_t> ts_ms = {};  // milliseconds since 1970, UTC
};

// Records back to back in one buffer that lives as long as the chunk.
struct RawChunk {
  std::string buffer;
  std::vector<RawHeader> headers;
  std::vector<RawRecord> records;
  std::chrono::steady_clock::time_point first_read;  // when the first record came; for metrics
  bool ends_batch = false;  // the source asks to end the batch with this chunk
  // The records, from a source that has them sketched: then they are not decoded, and their `bytes`
  // are empty. Else null.
  std::unique_ptr<SketchedBatch> sketched = nullptr;
};

class Source {
 public:
  virtual ~Source() = default;

  // Fills `chunk` with the next records, in order: at most `max_records`, and no further record
  // once `max_bytes` are reached; none at all only with `ends_batch`. False: nothing left, and
  // `chunk` is empty. Blocks; called from one thread. Throws Failure(kUnreadable) when an input
  // cannot be read on.
  virtual bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) = 0;

  // The meta keys and values to store with the batch that ends with the last chunk read. A later
  // run continues from them. Called from the thread of `read`, once at the end of each batch.
  virtual std::vector<std::pair<std::string, std::string>> positions() = 0;

  // From any thread: no more records are needed. A waiting `read` returns soon, without records.
  virtual void interrupt() {}
};

// Bytes → Record. One per thread.
class Decoder {
 public:
  virtual ~Decoder() = default;

  // `text` is set to the raw text (valid UTF-8) of a document, valid until the next call or the end
  // of the chunk. Never throws on bad bytes: they become a rejected record with reason and detail.
  virtual Record decode(const RawRecord& raw, std::string_view& text) = 0;
};

// The destination of flags, and their order relative to commits of the state. For each batch: any
// number of `add`, then `before_commit`, then `after_commit`, all on one thread. While a batch is
// being committed, `add` may be called for the next one.
class Delivery {
 public:
  virtual ~Delivery() = default;

  // The next records of the batch, in order: flags[i] is the answer for chunk.records[i]. The chunk
  // is valid during the call only; the flags may be moved from.
  virtual void add(const RawChunk& chunk, std::vector<Flag>& flags) = 0;

  // The batch is complete and is committed next. `writes` holds its changes and the positions of
  // the source; the delivery may add to it. Throws Failure(kIo) when flags cannot be written.
  virtual void before_commit(WriteSet& writes) = 0;

  // The state of that batch is durable. Comes before the next `before_commit`.
  virtual void after_commit() = 0;
};

}  // namespace neardup
