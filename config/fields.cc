#include "config/fields.h"

#include <algorithm>

#include "config/field_table.h"
#include "config/service_options.h"
#include "gpu/options.h"
#include "pipeline/rule/options.h"

namespace neardup {
namespace {

constexpr std::uint64_t kKiB = std::uint64_t{1} << 10;
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

std::vector<Field> decision_fields() {
  return {
      {.key = "threshold",
       .type = FieldType::kRatio,
       .slot = FIELD_REF(decision.threshold),
       .min = 10'000,
       .max = kOne,
       .other_names = {"jaccard_threshold", "similarity"},
       .help = "Documents at least this similar (Jaccard similarity of their shingles) are "
               "near-duplicates.",
       .cost = "A lower one needs more bands: more memory, disk and time."},
      {.key = "against",
       .type = FieldType::kEnum,
       .slot = FIELD_REF(decision.against),
       .help = "`kept`: only documents that were not flagged themselves can be originals. `all`: "
               "every earlier document can.",
       .cost = "With `all` the index grows with all traffic, not with unique content."},
      {.key = "backend",
       .type = FieldType::kEnum,
       .slot = FIELD_REF(backend),
       .help = "Where sketches are computed; `auto` takes the best that works. Never changes a "
               "flag."},
  };
}

std::vector<Field> input_fields() {
  return {
      {.key = "input.format",
       .type = FieldType::kEnum,
       .slot = FIELD_REF(input.format),
       .help = "`json`: each record is one JSON object. `raw`, for `serve` only: the value of a "
               "message is the text, its key the id."},
      {.key = "input.frame",
       .type = FieldType::kEnum,
       .slot = FIELD_REF(input.frame),
       .help =
           "`confluent`, for messages of Kafka only: five bytes stand before each value, a zero "
           "and the id of its schema, as serialisers with a schema registry write them; they "
           "are skipped, and a value without them is rejected."},
      {.key = "input.max_record_bytes",
       .type = FieldType::kBytes,
       .slot = FIELD_REF(input.max_record_bytes),
       .min = kKiB,
       .max = kGiB,
       .help = "Longer records are rejected (`record_too_large`); in files they are not even held "
               "in memory.",
       .cost = "A larger one lets one record take that much memory."},
      {.key = "input.id_field",
       .type = FieldType::kPointer,
       .slot = FIELD_REF(input.id_field),
       .help = "Field that holds the id. Required in each record: 1 to 1024 bytes."},
      {.key = "input.text_field",
       .type = FieldType::kPointer,
       .slot = FIELD_REF(input.text_field),
       .help = "Field that holds the text. Required in each record."},
      {.key = "input.namespace_field",
       .type = FieldType::kPointer,
       .slot = FIELD_REF(input.namespace_field),
       .help =
           "Field that holds the namespace. Documents are compared within their namespace only."},
      {.key = "input.timestamp_field",
       .type = FieldType::kPointer,
       .slot = FIELD_REF(input.timestamp_field),
       .help = "Field that holds the time: seconds, milliseconds (from 1e11 on) or RFC 3339."},
      {.key = "input.url_field",
       .type = FieldType::kPointer,
       .slot = FIELD_REF(input.url_field),
       .help = "Field that holds the address of the document; read only when `output.fields` "
               "names `url`. A string of at most 8192 bytes; anything else counts as missing."},
  };
}

std::vector<Field> flag_fields() {
  return {
      {.key = "output.fields",
       .type = FieldType::kWords,
       .slot = FIELD_REF(output.fields),
       .words = kPassedOnFields,
       .help =
           "More fields of a flag record: `url`, the address of the document; `text_bytes`, the "
           "length of its text in UTF-8 before it is normalised. They are neither stored nor "
           "part of the rule, and may be changed at any time."},
  };
}

std::vector<Field> text_fields() {
  return {
      {.key = "text.invalid_utf8",
       .type = FieldType::kEnum,
       .slot = FIELD_REF(text.invalid_utf8),
       .help = "Text that is not UTF-8: `replace` puts U+FFFD for each bad part, `reject` rejects "
               "the record."},
      {.key = "text.fold",
       .type = FieldType::kEnum,
       .slot = FIELD_REF(text.fold),
       .help = "`marks` compares texts without the vowel signs and the tatweel of Arabic, and "
               "without the points and cantillation marks of Hebrew."},
      {.key = "text.min_tokens",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(text.min_tokens),
       .min = 0,
       .max = 1'000'000,
       .help = "Texts with fewer tokens (with `shingle.unit: char`: code points) are compared by "
               "exact content only, status `too_short`.",
       .cost = "A larger one finds fewer near-duplicates among short texts."},
      {.key = "text.max_bytes",
       .type = FieldType::kBytes,
       .slot = FIELD_REF(text.max_bytes),
       .min = 1,
       .max = 256 * kMiB,
       .help = "Longer texts are rejected (`text_too_large`); normalised they may take 4 times "
               "that.",
       .cost = "A larger one lets one document take more memory and time."},
      {.key = "shingle.unit",
       .type = FieldType::kEnum,
       .slot = FIELD_REF(shingle.unit),
       .other_names = {"char_ngrams"},
       .help = "What a shingle is made of: `word`, tokens; `char`, code points of the normalised "
               "text."},
      {.key = "shingle.size",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(shingle.size),
       .min = 1,
       .max = 1024,
       .other_names = {"ngram_size", "n_grams", "window_size"},
       .help = "Units in a shingle.",
       .cost = "A larger one finds fewer accidental matches and is more sensitive to edits."},
  };
}

std::vector<Field> sketch_fields() {
  return {
      {.key = "sketch.family",
       .type = FieldType::kEnum,
       .slot = FIELD_REF(sketch.family),
       .help = "`fast_similarity` (Dahlgaard, Knudsen, Thorup 2017) or `minhash` (Li, König 2010).",
       .cost = "`minhash` evaluates shingles × size hashes, `fast_similarity` about shingles + "
               "size × ln size."},
      {.key = "sketch.size",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(sketch.size),
       .min = 1,
       .max = 16384,
       .other_names = {"num_perm", "num_hashes", "k"},
       .help = "Values in a sketch.",
       .cost = "A larger one gives finer estimates and takes size × bits / 8 bytes per document."},
      {.key = "sketch.bits",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(sketch.bits),
       .min = 1,
       .max = 32,
       .choices = {1, 2, 4, 8, 16, 32},
       .help = "Bits stored of each value.",
       .cost = "More of them cost bytes per document, fewer make estimates coarser."},
      {.key = "sketch.hash",
       .type = FieldType::kEnum,
       .slot = FIELD_REF(sketch.hash),
       .help = "Hash functions of `minhash`: 2-universal, 4-universal, a permutation matrix (needs "
               "`sketch.universe`), or 32-bit multiply-shift.",
       .cost = "`permutation` holds 4 × universe × size bytes in memory."},
      {.key = "sketch.universe",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(sketch.universe),
       .min = 2,
       .max = (std::uint64_t{1} << 61) - 1,
       .zero_word = "none",
       .help = "With `minhash`: shingles are first reduced to this many values. `none` keeps all.",
       .cost = "A small one makes different shingles equal; with `permutation` a large one takes "
               "memory, at most 16777216 is allowed."},
      {.key = "sketch.seed",
       .type = FieldType::kSeed,
       .slot = FIELD_REF(sketch.seed),
       .help = "Keys every hash. The default is published: anyone who can choose texts can build "
               "collisions against it, so set a secret one for untrusted input."},
      {.key = "sketch.seed_file",
       .type = FieldType::kPath,
       .slot = FIELD_REF(seed_file),
       .help = "A file that holds `sketch.seed`, in place of that key."},
  };
}

std::vector<Field> index_fields() {
  return {
      {.key = "lsh.recall",
       .type = FieldType::kRatio,
       .slot = FIELD_REF(lsh.recall),
       .min = 10'000,
       .max = 999'999,
       .help = "The wanted chance to find a pair that lies exactly at the threshold; bands and "
               "rows are solved from it. Not used when they are given.",
       .cost = "A larger one needs more bands: more memory, disk and time."},
      {.key = "lsh.bands",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(lsh.bands),
       .min = 1,
       .max = 16384,
       .zero_word = "auto",
       .other_names = {"num_bands", "num_buckets", "b"},
       .help = "Bands of a sketch; given together with `lsh.rows`. bands × rows ≤ sketch.size.",
       .cost = "Each band is one more look-up and one more posting per document."},
      {.key = "lsh.rows",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(lsh.rows),
       .min = 1,
       .max = 16384,
       .zero_word = "auto",
       .other_names = {"rows_per_band", "hashes_per_bucket", "band_size", "r"},
       .help = "Values in a band; given together with `lsh.bands`.",
       .cost = "More of them give fewer candidates and miss more pairs."},
      {.key = "lsh.bucket_cap",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(lsh.bucket_cap),
       .min = 1,
       .max = 1'000'000,
       .help = "Live documents of one bucket that are compared, oldest first.",
       .cost = "A larger one lets boilerplate cost more time; a smaller one can miss originals."},
      {.key = "filter.one_bit",
       .type = FieldType::kBool,
       .slot = FIELD_REF(filter.one_bit),
       .help = "Compare packed 1-bit sketches before full ones. Never changes a flag."},
      {.key = "verify.mode",
       .type = FieldType::kEnum,
       .slot = FIELD_REF(decision.verify),
       .help = "How a candidate is judged: `none`, any shared bucket flags; `sketch`, by the "
               "estimate; `exact`, by the shingles themselves (needs `storage.keep_texts: kept`).",
       .cost = "`exact` reads the texts of likely pairs: slower, and texts take disk."},
  };
}

std::vector<Field> machine_fields() {
  return {
      {.key = "cpu.threads",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(cpu.threads),
       .min = 1,
       .max = 1024,
       .zero_word = "auto",
       .help = "Threads that sketch; `auto` is one for each core that the process may use: of the "
               "machine, of its cpuset, and of the CPU quota of its control group, rounded up."},
      {.key = "cpu.simd",
       .type = FieldType::kEnum,
       .slot = FIELD_REF(cpu.simd),
       .help = "Vector instructions; `auto` takes the widest that the machine has."},
      {.key = "cpu.bit_count",
       .type = FieldType::kEnum,
       .slot = FIELD_REF(cpu.bit_count),
       .help = "How equal bits of packed sketches are counted; `auto` takes the fastest."},
      {.key = "gpu.device",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(gpu.device),
       .max = 63,
       .help = "Which GPU, as the CUDA runtime counts them."},
      {.key = "gpu.memory",
       .type = FieldType::kBytes,
       .slot = FIELD_REF(gpu.memory),
       .min = std::uint64_t{32} << 20,
       .max = std::uint64_t{1} << 40,
       .zero_word = "auto",
       .help = "Memory of the GPU, all of it taken at the start. `auto` takes what documents of up "
               "to 16 MiB need, 0.5 GiB (0.9 with characters), but at most half of what is free.",
       .cost = "More of it takes larger documents; one that does not fit is sketched on the CPU."},
      {.key = "batch.documents",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(batch.documents),
       .min = 1,
       .max = 1'000'000,
       .help = "A batch ends at this many documents.",
       .cost = "A larger one is faster up to a point and takes more memory."},
      {.key = "batch.max_bytes",
       .type = FieldType::kBytes,
       .slot = FIELD_REF(batch.max_bytes),
       .min = 1,
       .max = 64 * kGiB,
       .help = "Or at this many bytes of records.",
       .cost = "A larger one takes more memory."},
      {.key = "batch.linger_ms",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(batch.linger_ms),
       .min = 0,
       .max = 60'000,
       .help = "In a service: or this many milliseconds after its first record, unless more are "
               "waiting.",
       .cost =
           "A larger one delays flags at low load; a smaller one makes small batches, each with "
           "a disk sync and a transaction of its own."},
      {.key = "batch.in_flight",
       .type = FieldType::kInteger,
       .slot = FIELD_REF(batch.in_flight),
       .min = 1,
       .max = 16,
       .help = "In a service: stored batches whose flags are not delivered yet; with that many, "
               "reading waits.",
       .cost = "A larger one rides out a slow broker, takes memory, and leaves more to send again "
               "after a crash."},
  };
}

std::vector<Field> all_fields() {
  std::vector<Field> all;
  for (auto part : {decision_fields, input_fields, flag_fields, text_fields, sketch_fields,
                    index_fields, machine_fields, state_fields, service_fields}) {
    std::ranges::move(part(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

std::span<const Field> fields() {
  static const std::vector<Field> all = all_fields();
  return all;
}

}  // namespace neardup
