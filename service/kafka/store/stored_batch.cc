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

bool decode_flags(std::string_view bytes, std::uint64_t count, std::vector<Flag>& flags) {
  ByteReader reader(bytes);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!decode_flag(reader, flags.emplace_back())) return false;
  }
  return reader.finished();
}

bool has_traces(const StoredBatch& batch) { return !batch.traces.empty(); }

bool any_url(const StoredBatch& batch) {
  return std::ranges::any_of(batch.flags, [](const Flag& flag) { return !flag.url.empty(); });
}

bool any_text_bytes(const StoredBatch& batch) {
  return std::ranges::any_of(batch.flags, [](const Flag& flag) { return flag.text_bytes != 0; });
}

std::string encode_traces(const StoredBatch& batch) {
  std::string out;
  ByteWriter writer(out);
  for (const auto& trace : batch.traces) {
    writer.bytes(trace ? trace->traceparent : "");
    if (trace) writer.bytes(trace->tracestate);
  }
  return out;
}

// False: malformed.
bool decode_trace(ByteReader& reader, std::optional<TraceContext>& trace) {
  const std::string_view parent = reader.bytes();
  if (parent.empty()) return true;
  const std::string_view state = reader.bytes();
  trace = TraceContext{std::string(parent), std::string(state)};
  return is_traceparent(parent) && (state.empty() || is_tracestate(state));
}

bool decode_traces(std::string_view bytes, StoredBatch& batch) {
  ByteReader reader(bytes);
  for (std::size_t i = 0; i < batch.flags.size(); ++i) {
    if (!decode_trace(reader, batch.traces.emplace_back())) return false;
  }
  const bool any =
      std::ranges::any_of(batch.traces, [](const auto& one) { return one.has_value(); });
  return any && reader.finished();
}

std::string encode_urls(const StoredBatch& batch) {
  std::string out;
  ByteWriter writer(out);
  for (const Flag& flag : batch.flags) writer.bytes(flag.url);
  return out;
}

bool decode_urls(std::string_view bytes, StoredBatch& batch) {
  ByteReader reader(bytes);
  for (Flag& flag : batch.flags) flag.url = reader.bytes();
  return reader.finished() && any_url(batch);
}

std::string encode_text_bytes(const StoredBatch& batch) {
  std::string out;
  ByteWriter writer(out);
  for (const Flag& flag : batch.flags) writer.varint(flag.text_bytes);
  return out;
}

bool decode_text_bytes(std::string_view bytes, StoredBatch& batch) {
  ByteReader reader(bytes);
  for (Flag& flag : batch.flags) flag.text_bytes = reader.varint();
  return reader.finished() && any_text_bytes(batch);
}

bool has_log(const StoredBatch& batch) { return !batch.decided.empty(); }

std::string encode_log(const StoredBatch& batch) {
  std::string out;
  ByteWriter writer(out);
  writer.bytes(encode_positions(batch.sources));
  writer.bytes(batch.decided);
  return out;
}

bool decode_log(std::string_view bytes, StoredBatch& batch) {
  ByteReader reader(bytes);
  auto sources = decode_positions(reader.bytes());
  if (!sources) return false;
  batch.sources = *std::move(sources);
  batch.decided = reader.bytes();
  return reader.finished() && has_log(batch);
}

// What a batch has besides its flags, in the order of its frames.
struct Part {
  bool (*in)(const StoredBatch& batch);
  std::string (*encode)(const StoredBatch& batch);
  bool (*decode)(std::string_view bytes, StoredBatch& batch);  // false: malformed, or nothing
};
constexpr std::array<Part, 4> kParts{{{has_traces, encode_traces, decode_traces},
                                      {any_url, encode_urls, decode_urls},
                                      {any_text_bytes, encode_text_bytes, decode_text_bytes},
                                      {has_log, encode_log, decode_log}}};

// Up to the last part that the batch has.
std::span<const Part> parts_of(const StoredBatch& batch) {
  std::size_t count = kParts.size();
  while (count > 0 && !kParts[count - 1].in(batch)) --count;
  return std::span(kParts).first(count);
}

bool decode_parts(std::span<const std::string_view> frames, StoredBatch& batch) {
  TextCodec codec;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (frames[i].empty() && i + 1 < frames.size()) continue;
    const std::optional<std::string> bytes = codec.decode(frames[i]);
    if (!bytes || !kParts[i].decode(*bytes, batch)) return false;
  }
  return true;
}

bool decode_marks(std::string_view before, std::string_view after, StoredBatch& batch) {
  batch.before = decode_mark(before);
  const std::optional<CommitMetadata> mark = decode_mark(after);
  if (!mark || (!batch.before && !before.empty())) return false;
  batch.after = *mark;
  return true;
}

bool decode_both_positions(std::string_view from, std::string_view to, StoredBatch& batch) {
  std::optional<Positions> first = decode_positions(from);
  std::optional<Positions> last = decode_positions(to);
  if (!first || !last) return false;
  batch.from = std::move(*first);
  batch.to = std::move(*last);
  return true;
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
  writer.bytes(batch.rule.fingerprint);
  writer.varint(batch.rule.threshold);
  writer.bytes(batch.before ? encode_mark(*batch.before) : "");
  writer.bytes(encode_mark(batch.after));
  writer.bytes(encode_positions(batch.from));
  writer.bytes(encode_positions(batch.to));
  writer.varint(batch.flags.size());
  TextCodec codec;
  writer.bytes(codec.encode(encoded_flags));
  for (const Part& part : parts) {
    writer.bytes(part.in(batch) ? codec.encode(part.encode(batch)) : "");
  }
  return out;
}

std::optional<StoredBatch> decode_batch(std::string_view bytes) {
  ByteReader reader(bytes);
  StoredBatch batch;
  const std::uint64_t version = reader.little_endian(1);
  if (version < kStoredBatchVersion || version > kStoredBatchVersion + kParts.size()) return {};
  batch.rule.fingerprint = reader.bytes();
  batch.rule.threshold = reader.varint32();
  const std::string_view before = reader.bytes();
  const std::string_view after = reader.bytes();
  const std::string_view from = reader.bytes();
  const std::string_view to = reader.bytes();
  const std::uint64_t count = reader.varint();
  const std::string_view frame = reader.bytes();
  std::vector<std::string_view> parts(version - kStoredBatchVersion);
  for (std::string_view& part : parts) part = reader.bytes();
  if (!reader.finished() || !decode_marks(before, after, batch)) return {};
  if (!decode_both_positions(from, to, batch)) return {};
  TextCodec codec;
  const std::optional<std::string> flags = codec.decode(frame);
  if (!flags || !decode_flags(*flags, count, batch.flags)) return {};
  if (!decode_parts(parts, batch)) return {};
  return batch;
}

}  // namespace neardup
