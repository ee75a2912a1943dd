// Raw records → a sketched batch: decode, normalise, hash the content, sketch. Nothing here looks
// at the store, so chunks are prepared in any order and on any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/backend.h"
#include "pipeline/ports.h"
#include "pipeline/rule/namespace_hasher.h"
#include "pipeline/rule/rule.h"
#include "pipeline/stage_clock.h"
#include "pipeline/text/content_hash.h"
#include "pipeline/text/normalise.h"

namespace neardup {

// The most bytes that a text may take once it is normalised.
std::uint64_t most_normalised_bytes(const TextOptions& options);

// Tokens of a normalised text, or its code points with shingle.unit char.
std::uint32_t count_units(const NormalisedText& result, std::string_view text,
                          const ShingleOptions& options);

// Not thread-safe: each thread has its own; the backend is shared.
class Preparer {
 public:
  // With `keeps_raw_texts`, batches have the raw texts, too.
  Preparer(const Rule& rule, SimdLevel simd, std::unique_ptr<Decoder> decoder, Backend& backend,
           bool keeps_raw_texts = false);

  // Overwrites `batch` with the records of `chunk`, and returns the times of the steps.
  PrepareTimes prepare(const RawChunk& chunk, SketchedBatch& batch);

 private:
  void note_time(Record& record) const;
  void add_document(Record& record, std::string_view raw, SketchedBatch& batch);
  void sketch(SketchedBatch& batch);

  Rule rule_;
  ContentHasher hasher_;
  Normaliser normaliser_;
  std::unique_ptr<Decoder> decoder_;
  Backend& backend_;
  bool keeps_raw_texts_;
  std::vector<SketchTask> tasks_;
  NamespaceHasher namespace_hash_;
};

}  // namespace neardup
