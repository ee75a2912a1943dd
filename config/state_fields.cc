#include "config/field_table.h"
#include "storage/options.h"

namespace neardup {
namespace {

constexpr std::uint64_t kTiB = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 60;
constexpr std::uint64_t kSecondMs = 1'000;
constexpr std::uint64_t kCenturyMs = kSecondMs * 86'400 * 36'500;

}  // namespace

std::vector<Field> state_fields() {
  return {
      word("storage.store", FIELD_REF(storage.store))
          .help("`rocksdb` keeps the state on disk; `memory` keeps it until the process ends."),
      path("storage.path", FIELD_REF(storage.path))
          .help("Directory of the state of a service; `scan` takes `--state`."),
      bytes("storage.memory", FIELD_REF(storage.memory))
          .range(std::uint64_t{16} << 20, 64 * kTiB)
          .help("Memory of the store: filters of the index, 1-bit sketches, write buffers, caches.")
          .cost("A smaller one reads more from disk."),
      integer("storage.expected_documents", FIELD_REF(storage.expected_documents))
          .range(1, kMaxSeq)
          .help("Documents that the state will hold; sets the fewest rows that keep buckets small.")
          .cost("A larger one asks for more rows in a band, and so for more bands."),
      word("storage.keep_texts", FIELD_REF(storage.keep_texts))
          .old({{"true", "kept"}, {"false", "none"}})
          .help("Whose texts are stored, as received: `none`; `kept`, of kept documents, which "
                "`verify.mode: exact` needs; `all`, of flagged documents as well, so that "
                "`explain` shows why each was flagged.")
          .cost("Texts take disk, compressed to about half."),
      duration("retention.max_age", FIELD_REF(retention.max_age_ms))
          .range(kSecondMs, kCenturyMs)
          .zero("0")
          .aliases({"ttl"})
          .help("Documents and ids older than this are forgotten; 0: none are. Age is measured by "
                "the times of the records, not by the clock, from the latest time seen when the "
                "document arrived.")
          .cost("A longer one takes more disk and memory."),
      integer("retention.max_documents", FIELD_REF(retention.max_documents))
          .range(1, kMaxSeq)
          .zero("0")
          .help("Only this many of the last records are remembered, each counted, duplicates and "
                "rejected ones too; 0: all are.")
          .cost("More of them take more disk and memory."),
      bytes("retention.max_bytes", FIELD_REF(retention.max_bytes))
          .range(1, kMostBytes)
          .zero("0")
          .help("When the documents in the index have more normalised text than this, the oldest "
                "are forgotten; 0: none are. It bounds text, not disk: `neardup size` shows what a "
                "document takes.")
          .cost("A larger one takes more disk and memory."),
      duration("retention.max_step", FIELD_REF(retention.max_step_ms))
          .range(kSecondMs, kCenturyMs)
          .zero("0")
          .help("One record makes all others older by at most this, regardless of its time; 0: "
                "without limit.")
          .cost("With a larger one a single wrong clock forgets more."),
      word("similar.engine", FIELD_REF(search.engine))
          .help("How `neardup similar` finds candidates: `scan` compares the 1-bit sketch of every "
                "document; `match` reads the documents that share keywords with the query, and "
                "`ewh` the documents whose keywords differ in few bits; `lsh` the documents in the "
                "same buckets. `auto`: the engine of the state's keyword index, else `scan`."),
      word("similar.index", FIELD_REF(search.index))
          .help("`on`: keep a keyword index with the state, for the engine `match`, or for `ewh` "
                "where `similar.engine` names it.")
          .cost("`on` takes 4 bytes a keyword and about 10 more of disk for each document."),
      integer("similar.keywords", FIELD_REF(search.keywords))
          .range(8, 128)
          .help(
              "Keywords of a document in that index for `match`; a keyword is 16 neighbouring bits "
              "of its sketch. `ewh` has one for each 16 values.")
          .cost("More of them find less similar documents and take more disk and memory."),
      bytes("similar.memory", FIELD_REF(search.memory))
          .range(std::uint64_t{64} << 20, std::uint64_t{1} << 40)
          .zero("0")
          .help(
              "GPU memory of searches, in addition to `gpu.memory`; 0: searches use only the CPU. "
              "As many sketches (`scan`) or postings (`match`, `ewh`) as fit are kept there.")
          .cost("What does not fit is copied there for each search by `scan`, and searched on the "
                "CPU by `match` and `ewh`."),
      integer("similar.candidates", FIELD_REF(search.candidates))
          .range(1, 100'000)
          .help("Documents whose whole sketches a query may read.")
          .cost("A larger one finds less similar documents and takes more time."),
  };
}

}  // namespace neardup
