#include "service/kafka/stored_batch.h"

#include "service/kafka/flag_codec.h"
#include "storage/bytes.h"
#include "storage/text_codec.h"

namespace neardup {
namespace {

constexpr std::uint64_t kVersion = 2;

bool decode_flags(std::string_view bytes, std::uint64_t count, std::vector<Flag>& flags) {
  ByteReader reader(bytes);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!decode_flag(reader, flags.emplace_back())) return false;
  }
  return reader.finished();
}

bool decode_marks(std::string_view before, std::string_view after, StoredBatch& batch) {
  batch.before = decode_mark(before);
  const std::optional<CommitMark> mark = decode_mark(after);
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

std::string encode_batch(const StoredBatch& batch, std::string_view encoded_flags) {
  std::string out;
  ByteWriter writer(out);
  writer.little_endian(kVersion, 1);
  writer.bytes(batch.rule.fingerprint);
  writer.varint(batch.rule.threshold);
  writer.bytes(batch.before ? encode_mark(*batch.before) : "");
  writer.bytes(encode_mark(batch.after));
  writer.bytes(encode_positions(batch.from));
  writer.bytes(encode_positions(batch.to));
  writer.varint(batch.flags.size());
  writer.bytes(TextCodec().encode(encoded_flags));
  return out;
}

std::optional<StoredBatch> decode_batch(std::string_view bytes) {
  ByteReader reader(bytes);
  StoredBatch batch;
  if (reader.little_endian(1) != kVersion) return {};
  batch.rule.fingerprint = reader.bytes();
  batch.rule.threshold = reader.varint32();
  const std::string_view before = reader.bytes();
  const std::string_view after = reader.bytes();
  const std::string_view from = reader.bytes();
  const std::string_view to = reader.bytes();
  const std::uint64_t count = reader.varint();
  const std::string_view frame = reader.bytes();
  if (!reader.finished() || !decode_marks(before, after, batch)) return {};
  if (!decode_both_positions(from, to, batch)) return {};
  const std::optional<std::string> flags = TextCodec().decode(frame);
  if (!flags || !decode_flags(*flags, count, batch.flags)) return {};
  return batch;
}

}  // namespace neardup
