// The effects of decided records, a part of a message (service/cluster/decided.h).
//
//   effects := bits:u8… field…     four bits a record, the first record of each byte in the lower
//                                  ones: 1 a version, 2 with a document, 4 an original, 8 an end
//   field   := [original:varint dissimilarity:varint] [ended:varint]
//   ages    := time_ms:u64le age…
//   age     := step_ms:varint [text_bytes:varint]
//
// A field for each record, with what its bits say. original, ended: the seq of the record minus
// that one. dissimilarity: thousandths below 1. ages: of the versions; time_ms: of the first one,
// and step_ms from one to the next; text_bytes: of documents.
#pragma once

#include <vector>

#include "pipeline/model/types.h"
#include "pipeline/shard/effect.h"
#include "storage/bytes.h"
#include "storage/store.h"

namespace neardup {

// More than a batch has.
inline constexpr std::uint64_t kMostEffects = std::uint64_t{1} << 20;

// `first`: the seq of the first record. Requires: similarities are thousandths, as all of a flag
// are.
void put_effects(const std::vector<Effect>& effects, Seq first, ByteWriter& writer);
// Requires: one for each version, in the order of their seqs, and at least one.
void put_ages(const std::vector<Effect>& effects, const std::vector<Age>& ages, ByteWriter& writer);

// Accept any bytes. False: damaged. Requires: `count` is at most kMostEffects.
bool read_effects(ByteReader& reader, Seq first, std::size_t count, std::vector<Effect>& effects);
bool read_ages(ByteReader& reader, const std::vector<Effect>& effects, Seq first,
               std::vector<Age>& ages);

}  // namespace neardup
