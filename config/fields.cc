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

// The keys that each command reads: records, the rule, the machine.
std::vector<Field> common_fields() {
  return {
      ratio("threshold", FIELD_REF(decision.threshold))
          .range(10'000, kOne)
          .aliases({"jaccard_threshold", "similarity"})
          .help("Documents at least this similar (Jaccard similarity of their shingles) are "
                "near-duplicates.")
          .cost("A lower one needs more bands: more memory, disk and time."),
      word("against", FIELD_REF(decision.against))
          .help("`kept`: only documents that were not flagged themselves can be originals. `all`: "
                "every earlier document can.")
          .cost("With `all` the index grows with all traffic, not with unique content."),
      word("backend", FIELD_REF(backend))
          .help("Where sketches are computed; `auto` chooses the best that works. Never changes a "
                "flag."),
      word("input.format", FIELD_REF(input.format))
          .help("`json`: each record is one JSON object. `raw`, for `serve` only: the value of a "
                "message is the text, its key the id."),
      word("input.frame", FIELD_REF(input.frame))
          .help("`confluent`, for Kafka messages only: each value begins with five bytes, a zero "
                "and the id of its schema, as serialisers with a schema registry write them; they "
                "are skipped, and a value without them is rejected."),
      bytes("input.max_record_bytes", FIELD_REF(input.max_record_bytes))
          .range(kKiB, kGiB)
          .help(
              "Longer records are rejected (`record_too_large`); those in files are not buffered.")
          .cost("A larger one lets one record take that much memory."),
      word("input.id", FIELD_REF(input.id))
          .help("`auto`, for files only, finds the fields of ids and texts in the first record of "
                "each file: the id at `/id`, `/_id`, `/url`, `/doc_id` or "
                "`/warc_headers/warc-record-id`, a string or a number, or else FILE:LINE; the text "
                "at `/text`, `/content`, `/raw_content` or `/body`. It is the default of `scan`, "
                "and of commands that read its inputs, where neither `input.id_field` nor "
                "`input.text_field` is given. `pointer`: they are where these two say."),
      pointer("input.id_field", FIELD_REF(input.id_field))
          .help("Field that holds the id. Required in each record: 1 to 1024 bytes."),
      pointer("input.text_field", FIELD_REF(input.text_field))
          .help("Field that holds the text. Required in each record."),
      pointer("input.namespace_field", FIELD_REF(input.namespace_field))
          .help("Field that holds the namespace. Documents are compared within their namespace "
                "only."),
      pointer("input.timestamp_field", FIELD_REF(input.timestamp_field))
          .help("Field that holds the time: seconds, milliseconds (from 1e11 on) or RFC 3339."),
      pointer("input.url_field", FIELD_REF(input.url_field))
          .help("Field that holds the address of the document; read only when `output.fields` "
                "names `url`. A string of at most 8192 bytes; anything else counts as missing."),
      words("output.fields", FIELD_REF(output.fields))
          .words(kPassedOnFields)
          .help("Additional fields of a flag record: `url`, the address of the document; "
                "`text_bytes`, the length of its text in UTF-8 before it is normalised. They are "
                "neither stored nor part of the rule, and may be changed at any time."),
      word("text.invalid_utf8", FIELD_REF(text.invalid_utf8))
          .help("Text that is not UTF-8: `replace` puts U+FFFD for each bad part, `reject` rejects "
                "the record."),
      word("text.fold", FIELD_REF(text.fold))
          .help("`marks` compares texts without the vowel signs and the tatweel of Arabic, and "
                "without the points and cantillation marks of Hebrew."),
      integer("text.min_tokens", FIELD_REF(text.min_tokens))
          .range(0, 1'000'000)
          .help("Texts with fewer tokens (with `shingle.unit: char`: code points) are compared by "
                "exact content only, status `too_short`.")
          .cost("A larger one finds fewer near-duplicates among short texts."),
      bytes("text.max_bytes", FIELD_REF(text.max_bytes))
          .range(1, 256 * kMiB)
          .help("Longer texts are rejected (`text_too_large`); normalised they may take 4 times "
                "that.")
          .cost("A larger one lets one document take more memory and time."),
      word("shingle.unit", FIELD_REF(shingle.unit))
          .aliases({"char_ngrams"})
          .help("What a shingle is made of: `word`, tokens; `char`, code points of the normalised "
                "text."),
      integer("shingle.size", FIELD_REF(shingle.size))
          .range(1, 1024)
          .aliases({"ngram_size", "n_grams", "window_size"})
          .help("Units in a shingle.")
          .cost("A larger one finds fewer accidental matches and is more sensitive to edits."),
      word("sketch.family", FIELD_REF(sketch.family))
          .help(
              "`fast_similarity` (Dahlgaard, Knudsen, Thorup 2017) or `minhash` (Li, König 2010).")
          .cost("`minhash` evaluates shingles × size hashes, `fast_similarity` about shingles + "
                "size × ln size."),
      integer("sketch.size", FIELD_REF(sketch.size))
          .range(1, 16384)
          .aliases({"num_perm", "num_hashes", "k"})
          .help("Values in a sketch.")
          .cost("A larger one gives finer estimates and takes size × bits / 8 bytes per document."),
      integer("sketch.bits", FIELD_REF(sketch.bits))
          .range(1, 32)
          .choices({1, 2, 4, 8, 16, 32})
          .help("Bits stored of each value.")
          .cost("More of them cost bytes per document, fewer make estimates coarser."),
      word("sketch.hash", FIELD_REF(sketch.hash))
          .help(
              "Hash functions of `minhash`: 2-universal, 4-universal, a permutation matrix (needs "
              "`sketch.universe`), or 32-bit multiply-shift.")
          .cost("`permutation` holds 4 × universe × size bytes in memory."),
      integer("sketch.universe", FIELD_REF(sketch.universe))
          .range(2, (std::uint64_t{1} << 61) - 1)
          .zero("none")
          .help("With `minhash`: shingles are first reduced to this many values. `none` keeps all.")
          .cost("A small one makes different shingles equal; with `permutation` a large one takes "
                "memory, at most 16777216 is allowed."),
      seed("sketch.seed", FIELD_REF(sketch.seed))
          .help("Keys every hash. The default is published: anyone who can choose texts can build "
                "collisions against it, so set a secret one for untrusted input."),
      path("sketch.seed_file", FIELD_REF(seed_file))
          .help("A file that holds `sketch.seed`, in place of that key."),
      ratio("lsh.recall", FIELD_REF(lsh.recall))
          .range(10'000, 999'999)
          .help("Target probability of finding a pair exactly at the threshold; bands and rows are "
                "solved from it. Ignored when they are given.")
          .cost("A larger one needs more bands: more memory, disk and time."),
      integer("lsh.bands", FIELD_REF(lsh.bands))
          .range(1, 16384)
          .zero("auto")
          .aliases({"num_bands", "num_buckets", "b"})
          .help("Bands of a sketch; given together with `lsh.rows`. bands × rows ≤ sketch.size.")
          .cost("Each band is one more look-up and one more posting per document."),
      integer("lsh.rows", FIELD_REF(lsh.rows))
          .range(1, 16384)
          .zero("auto")
          .aliases({"rows_per_band", "hashes_per_bucket", "band_size", "r"})
          .help("Values in a band; given together with `lsh.bands`.")
          .cost("More of them give fewer candidates and miss more pairs."),
      integer("lsh.bucket_cap", FIELD_REF(lsh.bucket_cap))
          .range(1, 1'000'000)
          .help("Live documents of one bucket that are compared, oldest first.")
          .cost("A larger one lets boilerplate cost more time; a smaller one can miss originals."),
      boolean("filter.one_bit", FIELD_REF(filter.one_bit))
          .help("Compare packed 1-bit sketches before full ones. Never changes a flag."),
      word("verify.mode", FIELD_REF(decision.verify))
          .help("How a candidate is judged: `none`, any shared bucket flags; `sketch`, by the "
                "estimate; `exact`, by the shingles themselves (needs `storage.keep_texts: kept`).")
          .cost("`exact` reads the texts of likely pairs: slower, and texts take disk."),
      integer("cpu.threads", FIELD_REF(cpu.threads))
          .range(1, 1024)
          .zero("auto")
          .help("Sketching threads; `auto` is one for each core that the process may use: of the "
                "machine, of its cpuset, and of the CPU quota of its control group, rounded up."),
      word("cpu.simd", FIELD_REF(cpu.simd))
          .help("Vector instructions; `auto` chooses the widest that the machine supports."),
      word("cpu.bit_count", FIELD_REF(cpu.bit_count))
          .help("How equal bits of packed sketches are counted; `auto` chooses the fastest."),
      integer("gpu.device", FIELD_REF(gpu.device))
          .max(63)
          .help("Index of the GPU in the CUDA runtime."),
      bytes("gpu.memory", FIELD_REF(gpu.memory))
          .range(std::uint64_t{32} << 20, std::uint64_t{1} << 40)
          .zero("auto")
          .help("GPU memory, allocated at the start. `auto` allocates what documents of up to 16 "
                "MiB need, 0.5 GiB (0.9 with characters), but at most half of the free memory.")
          .cost(
              "A larger one fits larger documents; one that does not fit is sketched on the CPU."),
      integer("batch.documents", FIELD_REF(batch.documents))
          .range(1, 1'000'000)
          .help("A batch ends at this many documents.")
          .cost("A larger one is faster up to a point and takes more memory."),
      bytes("batch.max_bytes", FIELD_REF(batch.max_bytes))
          .range(1, 64 * kGiB)
          .help("A batch also ends at this many bytes of records.")
          .cost("A larger one takes more memory."),
      integer("batch.linger_ms", FIELD_REF(batch.linger_ms))
          .range(0, 60'000)
          .help("In a service a batch also ends this many milliseconds after its first record, "
                "unless more are waiting.")
          .cost("A larger one delays flags at low load; a smaller one makes small batches, each "
                "with its own disk sync and transaction."),
      integer("batch.in_flight", FIELD_REF(batch.in_flight))
          .range(1, 16)
          .help("In a service: the maximum number of stored batches whose flags are not delivered "
                "yet; reading pauses at it.")
          .cost("A larger one absorbs pauses of the brokers, takes memory, and leaves more to "
                "resend after a crash."),
  };
}

std::vector<Field> all_fields() {
  std::vector<Field> all = common_fields();
  std::ranges::move(state_fields(), std::back_inserter(all));
  std::ranges::move(service_fields(), std::back_inserter(all));
  return all;
}

}  // namespace

std::span<const Field> fields() {
  static const std::vector<Field> all = all_fields();
  return all;
}

}  // namespace neardup
