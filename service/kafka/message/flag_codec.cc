#include "service/kafka/message/flag_codec.h"

namespace neardup {
namespace {

enum Bit : unsigned {
  kHasId = 1,
  kKnown = 2,
  kRejected = 4,
  kOriginal = 8,
  kPrevious = 16,
  kPreviousSimilarity = 32,
};

unsigned bits_of(const Flag& flag) {
  unsigned bits = 0;
  if (flag.has_id) bits |= kHasId;
  if (flag.known) bits |= kKnown;
  if (flag.status == Status::kRejected) bits |= kRejected;
  if (flag.original) bits |= kOriginal;
  if (flag.previous) bits |= kPrevious;
  if (flag.previous && flag.previous->similarity) bits |= kPreviousSimilarity;
  return bits;
}

template <class Enum>
void put_enum(ByteWriter& writer, Enum value) {
  writer.little_endian(static_cast<std::uint8_t>(value), 1);
}

template <class Enum>
bool get_enum(ByteReader& reader, Enum last, Enum& value) {
  const std::uint64_t number = reader.little_endian(1);
  if (number > static_cast<std::uint8_t>(last)) return false;
  value = static_cast<Enum>(number);
  return true;
}

void encode_original(const Original& original, ByteWriter& writer) {
  writer.bytes(original.id);
  writer.varint(original.seq);
  put_enum(writer, original.verified_by);
  writer.varint(original.similarity);
  writer.varint(original.low);
  writer.varint(original.high);
  writer.varint(original.bands_hit);
}

bool decode_original(ByteReader& reader, Original& original) {
  original.id = reader.bytes();
  original.seq = reader.varint();
  if (!get_enum(reader, VerifiedBy::kNone, original.verified_by)) return false;
  original.similarity = reader.varint32();
  original.low = reader.varint32();
  original.high = reader.varint32();
  original.bands_hit = reader.varint32();
  return true;
}

}  // namespace

void encode_flag(const Flag& flag, std::string& out) {
  ByteWriter writer(out);
  const unsigned bits = bits_of(flag);
  writer.little_endian(bits, 1);
  put_enum(writer, flag.status);
  writer.varint(flag.seq);
  writer.bytes(flag.id);
  writer.bytes(flag.name_space);
  writer.varint(flag.source.input);
  writer.varint(flag.source.place);
  if ((bits & kRejected) != 0) {
    put_enum(writer, flag.reason);
    writer.bytes(flag.detail);
  }
  if (flag.original) encode_original(*flag.original, writer);
  if (flag.previous) writer.varint(flag.previous->seq);
  if ((bits & kPreviousSimilarity) != 0) writer.varint(*flag.previous->similarity);
}

bool decode_flag(ByteReader& reader, Flag& flag) {
  const std::uint64_t bits = reader.little_endian(1);
  if (!get_enum(reader, Status::kUnique, flag.status)) return false;
  flag.has_id = (bits & kHasId) != 0;
  flag.known = (bits & kKnown) != 0;
  flag.seq = reader.varint();
  flag.id = reader.bytes();
  flag.name_space = reader.bytes();
  flag.source.input = reader.varint32();
  flag.source.place = reader.varint();
  if ((bits & kRejected) != 0) {
    if (!get_enum(reader, RejectReason::kTextTooLarge, flag.reason)) return false;
    flag.detail = reader.bytes();
  }
  if ((bits & kOriginal) != 0 && !decode_original(reader, flag.original.emplace())) return false;
  if ((bits & kPrevious) != 0) flag.previous = Previous{reader.varint(), std::nullopt};
  if ((bits & kPreviousSimilarity) != 0) {
    if (!flag.previous) return false;
    flag.previous->similarity = reader.varint32();
  }
  return bits_of(flag) == bits;
}

}  // namespace neardup
