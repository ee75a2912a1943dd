#include "service/kafka/store/stored_batch.h"

#include <algorithm>

#include "service/kafka/message/flag_codec.h"
#include "storage/bytes.h"
#include "storage/rocksdb/text_codec.h"

namespace neardup {
namespace {

constexpr std::uint64_t kVersion = 2;
constexpr std::uint64_t kVersionWithTraces = 3;
constexpr std::uint64_t kVersionWithUrls = 4;  // and traces

bool decode_flags(std::string_view bytes, std::uint64_t count, std::vector<Flag>& flags) {
  ByteReader reader(bytes);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!decode_flag(reader, flags.emplace_back())) return false;
  }
  return reader.finished();
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

bool any_url(const std::vector<Flag>& flags) {
  return std::ranges::any_of(flags, [](const Flag& flag) { return !flag.url.empty(); });
}

std::string encode_urls(const std::vector<Flag>& flags) {
  std::string out;
  ByteWriter writer(out);
  for (const Flag& flag : flags) writer.bytes(flag.url);
  return out;
}

bool decode_urls(std::string_view bytes, std::vector<Flag>& flags) {
  ByteReader reader(bytes);
  for (Flag& flag : flags) flag.url = reader.bytes();
  return reader.finished() && any_url(flags);
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
  const bool urls = any_url(batch.flags);
  const std::uint64_t version = urls                   ? kVersionWithUrls
                                : batch.traces.empty() ? kVersion
                                                       : kVersionWithTraces;
  writer.little_endian(version, 1);
  writer.bytes(batch.rule.fingerprint);
  writer.varint(batch.rule.threshold);
  writer.bytes(batch.before ? encode_mark(*batch.before) : "");
  writer.bytes(encode_mark(batch.after));
  writer.bytes(encode_positions(batch.from));
  writer.bytes(encode_positions(batch.to));
  writer.varint(batch.flags.size());
  TextCodec codec;
  writer.bytes(codec.encode(encoded_flags));
  if (!batch.traces.empty()) {
    writer.bytes(codec.encode(encode_traces(batch)));
  } else if (urls) {
    writer.bytes("");
  }
  if (urls) writer.bytes(codec.encode(encode_urls(batch.flags)));
  return out;
}

std::optional<StoredBatch> decode_batch(std::string_view bytes) {
  ByteReader reader(bytes);
  StoredBatch batch;
  const std::uint64_t version = reader.little_endian(1);
  if (version < kVersion || version > kVersionWithUrls) return {};
  batch.rule.fingerprint = reader.bytes();
  batch.rule.threshold = reader.varint32();
  const std::string_view before = reader.bytes();
  const std::string_view after = reader.bytes();
  const std::string_view from = reader.bytes();
  const std::string_view to = reader.bytes();
  const std::uint64_t count = reader.varint();
  const std::string_view frame = reader.bytes();
  const std::string_view trace_frame = version >= kVersionWithTraces ? reader.bytes() : "";
  const std::string_view url_frame = version >= kVersionWithUrls ? reader.bytes() : "";
  if (!reader.finished() || !decode_marks(before, after, batch)) return {};
  if (!decode_both_positions(from, to, batch)) return {};
  TextCodec codec;
  const std::optional<std::string> flags = codec.decode(frame);
  if (!flags || !decode_flags(*flags, count, batch.flags)) return {};
  if (version == kVersionWithTraces || !trace_frame.empty()) {
    const std::optional<std::string> traces = codec.decode(trace_frame);
    if (!traces || !decode_traces(*traces, batch)) return {};
  }
  if (version == kVersionWithUrls) {
    const std::optional<std::string> urls = codec.decode(url_frame);
    if (!urls || !decode_urls(*urls, batch.flags)) return {};
  }
  return batch;
}

}  // namespace neardup
