#include "service/cluster/decided.h"

#include <algorithm>

#include "service/cluster/effects_codec.h"
#include "storage/bytes.h"

namespace neardup {
namespace {

constexpr int kTimeBytes = 8;
constexpr std::uint64_t kAgain = 1;
constexpr std::uint64_t kEffects = 2;
constexpr std::uint64_t kAges = 4;
constexpr std::uint64_t kPlacement = 8;
constexpr std::uint64_t kAllDecidedBits = 15;

bool is_hex(std::string_view digits, std::size_t size) {
  return digits.size() == size && std::ranges::all_of(digits, [](char digit) {
           return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
         });
}

bool is_valid(const Decided& decided) {
  return is_hex(decided.rule, 16) && is_hex(decided.chain, 32) && decided.first > 0 &&
         decided.first <= decided.next && decided.log.next_seq <= decided.next &&
         decided.next <= kMaxSeq && decided.offset >= 0;
}

std::uint64_t bits_of(const Decided& decided) {
  return (decided.again ? kAgain : 0) | (decided.effects.empty() ? 0 : kEffects) |
         (decided.ages.empty() ? 0 : kAges) | (decided.placement ? kPlacement : 0);
}

// Requires: is_valid(decided).
bool read_changes(ByteReader& reader, std::uint64_t bits, Decided& decided) {
  const std::uint64_t count = decided.next - decided.first;
  decided.again = (bits & kAgain) != 0;
  decided.effects.clear();
  decided.ages.clear();
  if ((bits & kEffects) == 0) return (bits & kAges) == 0;
  if (count == 0 || count > kMostEffects) return false;
  return read_effects(reader, decided.first, count, decided.effects) &&
         ((bits & kAges) == 0 || read_ages(reader, decided.effects, decided.first, decided.ages));
}

bool read_placement_of(ByteReader& reader, std::uint64_t bits, Decided& decided) {
  decided.placement.reset();
  if ((bits & kPlacement) == 0) return true;
  return read_placement(reader, decided.placement.emplace()) &&
         decided.placement->epoch == decided.log.epoch;
}

bool read_decided(ByteReader& reader, Decided& decided) {
  decided.rule = reader.bytes();
  decided.first = reader.varint();
  decided.next = reader.varint();
  decided.offset = static_cast<std::int64_t>(reader.varint());
  auto log = decode_log_state(reader.bytes());
  if (!log) return false;
  decided.log = *std::move(log);
  decided.began_ms = static_cast<std::int64_t>(reader.little_endian(kTimeBytes));
  decided.stream_ms = static_cast<std::int64_t>(reader.little_endian(kTimeBytes));
  decided.watermark = reader.varint();
  decided.chain = reader.bytes();
  const std::uint64_t bits = reader.little_endian(1);
  return is_valid(decided) && bits <= kAllDecidedBits && read_changes(reader, bits, decided) &&
         read_placement_of(reader, bits, decided) && reader.finished();
}

}  // namespace

std::string encode_decided(std::string_view cluster, const Decided& decided) {
  std::string message = begin_log_message(LogKind::kDecided, cluster);
  ByteWriter writer(message);
  writer.bytes(decided.rule);
  writer.varint(decided.first);
  writer.varint(decided.next);
  writer.varint(static_cast<std::uint64_t>(decided.offset));
  writer.bytes(encode_log_state(decided.log));
  writer.little_endian(static_cast<std::uint64_t>(decided.began_ms), kTimeBytes);
  writer.little_endian(static_cast<std::uint64_t>(decided.stream_ms), kTimeBytes);
  writer.varint(decided.watermark);
  writer.bytes(decided.chain);
  writer.little_endian(bits_of(decided), 1);
  if (!decided.effects.empty()) put_effects(decided.effects, decided.first, writer);
  if (!decided.ages.empty()) put_ages(decided.effects, decided.ages, writer);
  if (decided.placement) put_placement(*decided.placement, writer);
  seal_log_message(message);
  return message;
}

FrameOutcome decode_decided(std::string_view message, std::string_view cluster, Decided& decided) {
  const OpenedFrame frame = open_frame(message, cluster);
  if (frame.outcome != FrameOutcome::kOpened) return frame.outcome;
  if (frame.kind != LogKind::kDecided) return FrameOutcome::kDamaged;
  ByteReader reader(frame.body);
  return read_decided(reader, decided) ? FrameOutcome::kOpened : FrameOutcome::kDamaged;
}

}  // namespace neardup
