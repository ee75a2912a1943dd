#include "service/cluster/effects_codec.h"

namespace neardup {
namespace {

constexpr std::uint64_t kEffectsVersion = 1;
constexpr std::uint64_t kEffectDocument = 2;
constexpr std::uint64_t kOriginal = 4;
constexpr std::uint64_t kEnded = 8;
constexpr int kBitsOfEffect = 4;
constexpr std::uint64_t kAllEffectBits = 15;
constexpr int kEffectTimeBytes = 8;
constexpr Ppm kThousandth = kOne / 1000;

std::uint64_t bits_of(const Effect& effect) {
  return (effect.has_version ? kEffectsVersion : 0) | (effect.has_document ? kEffectDocument : 0) |
         (effect.original != 0 ? kOriginal : 0) | (effect.ended != 0 ? kEnded : 0);
}

bool is_valid(std::uint64_t bits) {
  return (bits & kEffectsVersion) != 0 || (bits & (kEffectDocument | kOriginal)) == 0;
}

// The seq that lies so far before `seq`.
bool read_seq(ByteReader& reader, Seq seq, Seq& earlier) {
  const std::uint64_t distance = reader.varint();
  earlier = seq - distance;
  return distance != 0 && distance < seq;
}

bool read_effect(ByteReader& reader, Seq seq, std::uint64_t bits, Effect& effect) {
  if (!is_valid(bits)) return false;
  effect.has_version = (bits & kEffectsVersion) != 0;
  effect.has_document = (bits & kEffectDocument) != 0;
  if ((bits & kOriginal) != 0) {
    if (!read_seq(reader, seq, effect.original)) return false;
    const std::uint64_t dissimilarity = reader.varint();
    if (dissimilarity > kOne / kThousandth) return false;
    effect.similarity = kOne - static_cast<Ppm>(dissimilarity) * kThousandth;
  }
  return (bits & kEnded) == 0 || read_seq(reader, seq, effect.ended);
}

}  // namespace

void put_effects(const std::vector<Effect>& effects, Seq first, ByteWriter& writer) {
  for (std::size_t n = 0; n < effects.size(); n += 2) {
    const std::uint64_t next = n + 1 < effects.size() ? bits_of(effects[n + 1]) : 0;
    writer.little_endian(bits_of(effects[n]) | next << kBitsOfEffect, 1);
  }
  for (std::size_t n = 0; n < effects.size(); ++n) {
    const Effect& effect = effects[n];
    if (effect.original != 0) {
      writer.varint(first + n - effect.original);
      writer.varint((kOne - effect.similarity) / kThousandth);
    }
    if (effect.ended != 0) writer.varint(first + n - effect.ended);
  }
}

void put_ages(const std::vector<Effect>& effects, const std::vector<Age>& ages,
              ByteWriter& writer) {
  std::int64_t time_ms = ages.front().time_ms;
  writer.little_endian(static_cast<std::uint64_t>(time_ms), kEffectTimeBytes);
  auto age = ages.begin();
  for (const Effect& effect : effects) {
    if (!effect.has_version) continue;
    writer.varint(static_cast<std::uint64_t>(age->time_ms - time_ms));
    if (effect.has_document) writer.varint(age->text_bytes);
    time_ms = (age++)->time_ms;
  }
}

// A count that lies costs no memory: its records must be there.
bool read_effects(ByteReader& reader, Seq first, std::size_t count, std::vector<Effect>& effects) {
  const std::size_t left = ByteReader(reader).rest().size();
  if ((count + 1) / 2 > left) return false;
  std::vector<std::uint64_t> bits;
  while (bits.size() < count) {
    const std::uint64_t two = reader.little_endian(1);
    bits.push_back(two & kAllEffectBits);
    bits.push_back(two >> kBitsOfEffect);
  }
  if (bits.size() > count && bits.back() != 0) return false;
  effects.assign(count, {});
  for (std::size_t n = 0; n < count; ++n) {
    if (!read_effect(reader, first + n, bits[n], effects[n])) return false;
  }
  return true;
}

bool read_ages(ByteReader& reader, const std::vector<Effect>& effects, Seq first,
               std::vector<Age>& ages) {
  constexpr std::uint64_t kMostTime = std::uint64_t{1} << 62;
  std::uint64_t time_ms = reader.little_endian(kEffectTimeBytes);
  for (std::size_t n = 0; n < effects.size(); ++n) {
    if (!effects[n].has_version) continue;
    const std::uint64_t step_ms = reader.varint();
    if (time_ms > kMostTime || step_ms > kMostTime || (ages.empty() && step_ms != 0)) return false;
    time_ms += step_ms;
    const std::uint32_t bytes = effects[n].has_document ? reader.varint32() : 0;
    ages.push_back({first + n, static_cast<std::int64_t>(time_ms), bytes});
  }
  return !ages.empty();
}

}  // namespace neardup
