#include "service/kafka/store/stored_batch.h"

#include <algorithm>
#include <array>
#include <span>

#include "service/kafka/message/flag_codec.h"
#include "storage/bytes.h"
#include "storage/rocksdb/text_codec.h"

namespace neardup {
namespace {

constexpr std::uint64_t kStoredBatchVersion =
    2;  // and 1 more for each frame after that of the flags

// Empty before batch 0.
std::string encode_before(const std::optional<CommitMetadata>& mark) {
  return mark ? encode_mark(*mark) : "";
}

std::optional<std::optional<CommitMetadata>> decode_before(std::string_view text) {
  const std::optional<CommitMetadata> mark = decode_mark(text);
  if (!mark && !text.empty()) return {};
  return std::make_optional(mark);
}

template <class Io, class Batch>
void batch_fields(Io& io, Batch& batch) {
  io.bytes(batch.rule.fingerprint);
  io.varint(batch.rule.threshold);
  io.coded(batch.before, encode_before, decode_before);
  io.coded(
      batch.after, [](const CommitMetadata& mark) { return encode_mark(mark); }, decode_mark);
  io.coded(batch.from, encode_positions, decode_positions);
  io.coded(batch.to, encode_positions, decode_positions);
}

bool has_traces(const StoredBatch& batch) { return !batch.traces.empty(); }

void write_traces(ByteWriter& writer, const StoredBatch& batch) {
  for (const auto& trace : batch.traces) {
    writer.bytes(trace ? trace->traceparent : "");
    if (trace) writer.bytes(trace->tracestate);
  }
}

void read_trace(ByteReader& reader, std::optional<TraceContext>& trace) {
  const std::string_view parent = reader.bytes();
  if (parent.empty()) return;
  const std::string_view state = reader.bytes();
  trace = TraceContext{std::string(parent), std::string(state)};
  reader.require(is_traceparent(parent) && (state.empty() || is_tracestate(state)));
}

void read_traces(ByteReader& reader, StoredBatch& batch) {
  batch.traces.resize(batch.flags.size());
  for (auto& trace : batch.traces) read_trace(reader, trace);
  reader.require(
      std::ranges::any_of(batch.traces, [](const auto& one) { return one.has_value(); }));
}

// A field of PassedOn, of each flag.
template <auto Field>
bool has_field(const StoredBatch& batch) {
  const auto empty = Flag{}.*Field;
  return std::ranges::any_of(batch.flags, [&](const Flag& flag) { return flag.*Field != empty; });
}

template <auto Field, class Io, class Batch>
void column(Io& io, Batch& batch) {
  for (auto& flag : batch.flags) io.field(flag.*Field);
}

bool has_log(const StoredBatch& batch) { return !batch.decided.empty(); }

template <class Io, class Batch>
void log_fields(Io& io, Batch& batch) {
  io.coded(batch.sources, encode_positions, decode_positions);
  io.bytes(batch.decided);
}

// What a batch has besides its flags, in the order of its frames.
struct Part {
  bool (*in)(const StoredBatch& batch);
  void (*write)(ByteWriter& writer, const StoredBatch& batch);
  void (*read)(ByteReader& reader, StoredBatch& batch);
};
template <auto Field>
constexpr Part kColumn{has_field<Field>, column<Field>, column<Field>};
constexpr std::array<Part, 4> kParts{{{has_traces, write_traces, read_traces},
                                      kColumn<&PassedOn::url>,
                                      kColumn<&PassedOn::text_bytes>,
                                      {has_log, log_fields, log_fields}}};

// Up to the last part that the batch has.
std::span<const Part> parts_of(const StoredBatch& batch) {
  std::size_t count = kParts.size();
  while (count > 0 && !kParts[count - 1].in(batch)) --count;
  return std::span(kParts).first(count);
}

std::string encode_part(const Part& part, const StoredBatch& batch, TextCodec& codec) {
  if (!part.in(batch)) return "";
  std::string bytes;
  ByteWriter writer(bytes);
  part.write(writer, batch);
  return codec.encode(bytes);
}

// False: malformed, or nothing.
bool decode_part(const Part& part, std::string_view frame, TextCodec& codec, StoredBatch& batch) {
  const std::optional<std::string> bytes = codec.decode(frame);
  if (!bytes) return false;
  ByteReader reader(*bytes);
  part.read(reader, batch);
  return reader.finished() && part.in(batch);
}

// Only the last one may not be empty.
bool decode_parts(std::span<const std::string_view> frames, TextCodec& codec, StoredBatch& batch) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (frames[i].empty() && i + 1 < frames.size()) continue;
    if (!decode_part(kParts[i], frames[i], codec, batch)) return false;
  }
  return true;
}

bool decode_flags(std::string_view frame, std::uint64_t count, TextCodec& codec,
                  StoredBatch& batch) {
  const std::optional<std::string> bytes = codec.decode(frame);
  if (!bytes) return false;
  ByteReader reader(*bytes);
  for (std::uint64_t i = 0; i < count && reader.fits(); ++i) {
    decode_flag(reader, batch.flags.emplace_back());
  }
  return reader.finished();
}

}  // namespace

const TraceContext* StoredBatch::trace_of(std::size_t flag) const {
  return traces.empty() || !traces[flag] ? nullptr : &*traces[flag];
}

std::string encode_batch(const StoredBatch& batch, std::string_view encoded_flags) {
  std::string out;
  ByteWriter writer(out);
  const std::span<const Part> parts = parts_of(batch);
  writer.little_endian(kStoredBatchVersion + parts.size(), 1);
  batch_fields(writer, batch);
  writer.varint(batch.flags.size());
  TextCodec codec;
  writer.bytes(codec.encode(encoded_flags));
  for (const Part& part : parts) writer.bytes(encode_part(part, batch, codec));
  return out;
}

std::optional<StoredBatch> decode_batch(std::string_view bytes) {
  ByteReader reader(bytes);
  StoredBatch batch;
  const std::uint64_t version = reader.little_endian(1);
  if (version < kStoredBatchVersion || version > kStoredBatchVersion + kParts.size()) return {};
  batch_fields(reader, batch);
  const std::uint64_t count = reader.varint();
  const std::string_view frame = reader.bytes();
  std::vector<std::string_view> parts(version - kStoredBatchVersion);
  for (std::string_view& part : parts) part = reader.bytes();
  TextCodec codec;
  if (!reader.finished() || !decode_flags(frame, count, codec, batch) ||
      !decode_parts(parts, codec, batch)) {
    return {};
  }
  return batch;
}

}  // namespace neardup
