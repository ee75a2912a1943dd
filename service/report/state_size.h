// What a state takes, and how much of it fits into storage.memory. The bytes of one kept document:
// the encoded sizes of storage/format.h, and the measured overhead of RocksDB
// (bench/results/state_size.md).
#pragma once

#include <cstdint>

#include "pipeline/rule/rule.h"

namespace neardup {

// Of a text with 4 kB of normalised text, for each byte of that, as measured: raw bytes, and bytes
// stored.
inline constexpr double kRawFactor = 1.15;
inline constexpr double kTextFactor = 0.51;

// The document that sizes are computed for.
struct TypicalDocument {
  std::uint32_t id_bytes = 32;
  std::uint32_t text_bytes = 4096;  // normalised
};

// Bytes, by part.
struct DocumentBytes {
  double sketch = 0;
  double one_bit = 0;
  double row = 0;  // the rest of the document's row: id, hash, times, counts
  // Of a flagged copy, not in the total: row, posting, an empty place among the 1-bit sketches, and
  // the key under its original.
  double id = 0;
  double copy = 0;
  double postings = 0;  // one a band, one for the content and one for the id
  double text = 0;      // 0 unless texts are kept
  double total() const { return sketch + one_bit + row + postings + text; }
};

// Keys and values as they are encoded, texts compressed.
DocumentBytes encoded_bytes(const Rule& rule, bool keep_texts, const TypicalDocument& document);

// The same on disk, compacted: with block indexes, filters and RocksDB's bytes for each key.
DocumentBytes disk_bytes(const DocumentBytes& encoded);

// The bytes of one document that look-ups read, and that should be in memory.
struct HotBytes {
  double filters = 0;
  double one_bit = 0;
  double block_indexes = 0;
};
HotBytes hot_bytes(const Rule& rule, const DocumentBytes& on_disk);

// Bytes of one document in the memory store.
double memory_store_bytes(const DocumentBytes& encoded, const TypicalDocument& document);

// How much of an index fits into storage.memory, and the expected rate of look-ups: a rule of thumb
// from the memory plan and a few measured costs (bench/results/state_size.md).

// The size of an index.
struct IndexLoad {
  double documents = 0;
  std::uint32_t bands = 0;
  double one_bit_bytes = 0;  // for one document
};

struct MemoryShare {
  double filter_bits = 0;               // per posting, of those with a filter
  double filtered = 1;                  // share of the postings that have a filter
  double one_bit_share = 1;             // latest documents with 1-bit sketch in memory, as a share
  double wasted_pages = 0;              // read in vain for one document
  double documents_per_cpu_second = 0;  // of the index alone, merging included
  bool all_fits = true;
};

// Requires: storage.memory is at least 16 MiB.
MemoryShare share_memory(const IndexLoad& load, std::uint64_t storage_memory);

// The false-positive rate of a filter with `bits` bits per posting.
double false_positive_chance(double bits);

}  // namespace neardup
