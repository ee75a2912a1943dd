#include "service/report/state_size.h"

#include "pipeline/rule/bands.h"
#include "storage/format.h"
#include "storage/memory_plan.h"

namespace neardup {
namespace {

// As measured (bench/results/state_size.md). On disk: bytes per encoded byte, and the share of
// block indexes. In the memory store: bytes per posting, and per encoded byte of the rest.
constexpr double kDocsFactor = 1.033;
constexpr double kIdsFactor = 1.110;
constexpr double kCopiesFactor = 1.646;
constexpr double kIndexFactor = 1.339;  // a quarter of it is filters
constexpr double kBlockIndexShare = 0.0045;
constexpr double kMemoryStorePosting = 119;
constexpr double kMemoryStoreFactor = 2.5;

// Its numbers have the encoded width that is typical of a large state.
DocumentRow typical_row(const Rule& rule, const TypicalDocument& document) {
  constexpr std::uint32_t kBytesPerToken = 7;
  const SketchShape shape = rule.plan.shape();
  DocumentRow row;
  row.id.assign(document.id_bytes, 'i');
  row.tokens = document.text_bytes / kBytesPerToken;
  row.distinct_shingles = is_permutation(rule.plan.sketch) ? row.tokens : 0;
  row.text_bytes = document.text_bytes;
  row.sketch.resize(shape.sketch_words());
  return row;
}

constexpr double kPostingBytes = 8;

}  // namespace

DocumentBytes encoded_bytes(const Rule& rule, bool keep_texts, const TypicalDocument& document) {
  constexpr double kWordBytes = 8;
  const DocumentRow row = typical_row(rule, document);
  DocumentBytes bytes;
  bytes.sketch = kWordBytes * static_cast<double>(row.sketch.size());
  bytes.one_bit = kWordBytes * rule.plan.shape().one_bit_words();
  bytes.row = static_cast<double>(kSeqBytes + encode_document(row).size()) - bytes.sketch;
  bytes.id = bytes.one_bit + kPostingBytes +
             static_cast<double>(kSeqBytes + encode_id({"", row.id}, {}).size());
  bytes.copy = sizeof(CopyKey);
  bytes.postings = postings_of(rule.plan.bands) * kPostingBytes;
  if (keep_texts) bytes.text = kSeqBytes + kTextFactor * document.text_bytes;
  return bytes;
}

DocumentBytes disk_bytes(const DocumentBytes& encoded) {
  DocumentBytes bytes = encoded;
  for (double* part : {&bytes.sketch, &bytes.row, &bytes.text}) *part *= kDocsFactor;
  bytes.id += (kIdsFactor - 1) * (encoded.id - encoded.one_bit - kPostingBytes) +
              (kIndexFactor - 1) * kPostingBytes;
  bytes.copy *= kCopiesFactor;
  bytes.postings *= kIndexFactor;
  return bytes;
}

HotBytes hot_bytes(const Rule& rule, const DocumentBytes& on_disk) {
  return {.filters = kMostFilterBits / 8.0 * postings_of(rule.plan.bands),
          .one_bit = on_disk.one_bit,
          .block_indexes = kBlockIndexShare * (on_disk.total() - on_disk.text)};
}

double memory_store_bytes(const DocumentBytes& encoded, const TypicalDocument& document) {
  // Not compressed there.
  const double text = encoded.text > 0 ? kRawFactor * document.text_bytes : 0;
  return kMemoryStorePosting * encoded.postings / kPostingBytes +
         kMemoryStoreFactor * (encoded.total() - encoded.postings - encoded.text) + text;
}

}  // namespace neardup
