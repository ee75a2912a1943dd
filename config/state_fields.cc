#include <algorithm>

#include "config/field_table.h"
#include "storage/options.h"

namespace neardup {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kTiB = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 60;
constexpr std::uint64_t kSecondMs = 1'000;
constexpr std::uint64_t kCenturyMs = kSecondMs * 86'400 * 36'500;

std::vector<Field> storage_fields() {
  return {
      {.key = "storage.store",
       .type = FieldType::kEnum,
       .slot = FIELD_REF(storage.store),
       .help = "`rocksdb` keeps the state on disk; `memory` keeps it until the process ends."},
      {.key = "storage.path",
       .type = FieldType::kPath,
       .slot = FIELD_REF(storage.path),
       .help = "Directory of the state of a service; `scan` takes `--state`."},
      {.key = "storage.memory",
       .type = FieldType::kBytes,
       .slot = FIELD_REF(storage.memory),
       .min = 16 * kMiB,
       .max = 64 * kTiB,
       .help = "Memory of the store: filters of the index, 1-bit sketches, what is not on disk "
               "yet, caches.",
       .cost = "A smaller one reads more from disk."},
      {.key = "storage.expected_documents",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(storage.expected_documents),
       .min = 1,
       .max = kMaxSeq,
       .help = "Documents that the state will hold; sets the fewest rows that keep buckets small.",
       .cost = "A larger one asks for more rows in a band, and so for more bands."},
      {.key = "storage.keep_texts",
       .type = FieldType::kEnum,
       .slot = FIELD_REF(storage.keep_texts),
       .old_words = {{"true", "kept"}, {"false", "none"}},
       .help = "Whose texts are kept, as they came: `none`; `kept`, those of kept documents, which "
               "`verify.mode: exact` needs; `all`, also those of flagged ones, so that `explain` "
               "shows why each was flagged.",
       .cost = "Texts take disk, compressed to about half."},
  };
}

std::vector<Field> retention_fields() {
  return {
      {.key = "retention.max_age",
       .type = FieldType::kDuration,
       .slot = FIELD_REF(retention.max_age_ms),
       .min = kSecondMs,
       .max = kCenturyMs,
       .zero_word = "0",
       .other_names = {"ttl"},
       .help = "Documents and ids older than this are forgotten; 0: none are. Age is counted "
               "by the times of the records, not by the clock, from the latest time that was seen "
               "when the document arrived.",
       .cost = "A longer one takes more disk and memory."},
      {.key = "retention.max_documents",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(retention.max_documents),
       .min = 1,
       .max = kMaxSeq,
       .zero_word = "0",
       .help = "Only this many of the last records are remembered, each counted, duplicates and "
               "rejected ones too; 0: all are.",
       .cost = "More of them take more disk and memory."},
      {.key = "retention.max_bytes",
       .type = FieldType::kBytes,
       .slot = FIELD_REF(retention.max_bytes),
       .min = 1,
       .max = kMostBytes,
       .zero_word = "0",
       .help = "When the documents in the index have more normalised text than this, the oldest "
               "are forgotten; 0: none are. It bounds text, not disk: `neardup size` tells what a "
               "document takes.",
       .cost = "A larger one takes more disk and memory."},
      {.key = "retention.max_step",
       .type = FieldType::kDuration,
       .slot = FIELD_REF(retention.max_step_ms),
       .min = kSecondMs,
       .max = kCenturyMs,
       .zero_word = "0",
       .help = "One record makes all others older by at most this, whatever its time says; 0: by "
               "any time.",
       .cost = "With a larger one a single wrong clock forgets more."},
  };
}

std::vector<Field> search_fields() {
  return {
      {.key = "similar.engine",
       .type = FieldType::kEnum,
       .slot = FIELD_REF(search.engine),
       .help =
           "How `neardup similar` finds candidates: `scan` compares the 1-bit sketch of every "
           "document; `match` reads the documents that share keywords with the query, and `ewh` "
           "those whose keywords differ in few bits; `lsh` those in the same buckets. `auto`: "
           "that of the state's index of keywords, else `scan`."},
      {.key = "similar.index",
       .type = FieldType::kEnum,
       .slot = FIELD_REF(search.index),
       .help = "`on`: keep an index of keywords beside the state, for the engine `match`, or for "
               "`ewh` where `similar.engine` names it.",
       .cost = "`on` takes 4 bytes a keyword and about 10 more of disk for each document."},
      {.key = "similar.keywords",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(search.keywords),
       .min = 8,
       .max = 128,
       .help =
           "Keywords of a document in that index for `match`; a keyword is 16 neighbouring bits "
           "of its sketch. `ewh` has one for each 16 values.",
       .cost = "More of them find less similar documents and take more disk and memory."},
      {.key = "similar.memory",
       .type = FieldType::kBytes,
       .slot = FIELD_REF(search.memory),
       .min = std::uint64_t{64} << 20,
       .max = std::uint64_t{1} << 40,
       .zero_word = "0",
       .help = "Memory of the GPU that searches may take, beside `gpu.memory`; 0: searches use the "
               "CPU alone. As many sketches (`scan`) or postings (`match`, `ewh`) as fit are kept "
               "there.",
       .cost = "What does not fit is copied there for each search by `scan`, and searched on the "
               "CPU by `match` and `ewh`."},
      {.key = "similar.candidates",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(search.candidates),
       .min = 1,
       .max = 100'000,
       .help = "Documents whose whole sketches a query may read.",
       .cost = "A larger one finds less similar documents and takes more time."},
  };
}

}  // namespace

std::vector<Field> state_fields() {
  std::vector<Field> all = storage_fields();
  std::ranges::move(retention_fields(), std::back_inserter(all));
  std::ranges::move(search_fields(), std::back_inserter(all));
  return all;
}

}  // namespace neardup
