// A query for similar documents: read from a line or a text, or made of a stored id.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/backend.h"
#include "pipeline/model/sketched_batch.h"
#include "pipeline/search/similar.h"
#include "service/records/record_decoder.h"
#include "storage/store.h"

namespace neardup {

// A line is an object with a text, whose id does not matter and may be missing, or with an id
// alone: that is rejected with kMissingText, and has its id.
class QueryDecoder : public Decoder {
 public:
  // Throws like RecordDecoder.
  QueryDecoder(const InputOptions& input, const TextOptions& text) : decoder_(input, text) {}

  Record decode(const RawRecord& raw, std::string_view& text) override;

 private:
  RecordDecoder decoder_;
};

// The whole value is the text; ill-formed UTF-8 becomes U+FFFD.
class TextDecoder : public Decoder {
 public:
  explicit TextDecoder(const TextOptions& options) : options_(options) {}

  Record decode(const RawRecord& raw, std::string_view& text) override;

 private:
  TextOptions options_;
  std::string cleaned_;
};

// A chunk with one record: the text.
RawChunk text_chunk(const std::string& text);

// A chunk with a record for each line that is not empty.
RawChunk lines_chunk(const std::string& lines);

// Owns what it refers to.
struct SearchQuery {
  std::string name_space;
  std::vector<std::uint64_t> sketch;
  std::vector<std::uint64_t> one_bit;
  std::uint32_t distinct_shingles = 0;
  Seq except = 0;

  // Refers to this.
  SimilarQuery view() const;
};

struct QueryOrError {
  std::optional<SearchQuery> query;
  std::string error;  // without a query: a sentence that says what to do
};

// Asks about the version of a stored id that Store::find_id gave, which is no hit itself. An error
// when the view has no sketch of it. Any thread.
QueryOrError query_of_id(const IdKey& key, const std::optional<IdRow>& row, const SketchView& view,
                         const SketchPlan& plan);

// Asks about a record of the batch, in the namespace `name_space`. An error when it has no sketch.
QueryOrError query_of_record(const SketchedBatch& batch, std::size_t i,
                             const std::string& name_space, const Rule& rule);

}  // namespace neardup
