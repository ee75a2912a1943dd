// The store: sketches, LSH buckets and ids of what was seen so far, and where the inputs stand.
//
// A store is read as of its last `commit`; a commit takes effect whole or not at all. One thread at
// a time may call it. Every error of the disk is a Failure(kIo); the process must then end.
//
// Postings are hints: a bucket's seqs come unjudged. Whether a document is still live, kept, or
// really agrees in the band's values is for the caller (pipeline/resolve) to say.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/core/types.h"
#include "storage/options.h"

namespace neardup {

// The key of a bucket. Bands 0 … M − 1 are LSH bands; kContentBand is the index of content hashes
// (bucket = low word of the hash).
struct Bucket {
  std::uint16_t band = 0;
  std::uint64_t key = 0;
  auto operator<=>(const Bucket&) const = default;
};
inline constexpr std::uint16_t kContentBand = 0xffff;

struct Posting {
  Bucket bucket;
  Seq seq = 0;
  std::uint16_t mini = 0;  // mini-sketch of the document (docs/formats/sketch.md), 0 for content
};

// One live id. Exists for every document that is neither rejected nor deleted, flagged or kept.
struct IdRow {
  Seq seq = 0;               // the version's arrival
  std::int64_t time_ms = 0;  // stream time at its arrival
  Hash128 content = {};
  bool kept = true;  // false: flagged (under `against: all` it has a document row all the same)
  bool has_document = true;  // is there a DocumentRow for `seq`?
  Seq original = 0;          // flagged: what it repeats
  Ppm similarity = 0;        // flagged: how similar
};

// One indexed document.
struct DocumentRow {
  Seq seq = 0;
  std::string id;
  std::string name_space;
  std::int64_t time_ms = 0;  // stream time at its arrival
  Hash128 content = {};
  std::uint32_t tokens = 0;
  std::uint32_t distinct_shingles = 0;  // permutation family only, else 0
  std::uint32_t text_bytes = 0;         // of the normalised text
  std::vector<std::uint64_t> sketch;    // empty: compared by content only (too short)
  std::vector<std::uint64_t> one_bit;
};

struct DocumentPut {
  DocumentRow row;
  std::string_view text;  // normalised; kept only if StorageOptions::keep_texts. Not owned.
};

struct IdKey {
  std::string name_space;
  std::string id;
  bool operator==(const IdKey&) const = default;
};

// All changes of one batch, applied in this order: erasures, then puts.
struct WriteSet {
  std::vector<Seq> erase_documents;     // row and text
  std::vector<Posting> erase_postings;  // `mini` is not looked at
  std::vector<IdKey> erase_ids;
  std::vector<DocumentPut> documents;
  std::vector<Posting> postings;
  std::vector<std::pair<IdKey, IdRow>> ids;
  std::vector<std::pair<std::string, std::string>> meta;      // an empty value erases the key
  std::vector<std::uint64_t> erase_outbox;                    // batch numbers; before the puts, too
  std::vector<std::pair<std::uint64_t, std::string>> outbox;  // batch number → bytes, never empty
  void clear();
};

// Seqs of one bucket, oldest first.
struct PostingList {
  std::vector<Seq> seqs;
  bool more = false;  // the bucket holds later ones too
};

struct StoreStats {
  std::uint64_t documents = 0;  // rows in the store
  std::uint64_t ids = 0;
  std::uint64_t postings = 0;      // RocksDB: an estimate
  std::uint64_t disk_bytes = 0;    // 0 for the memory store
  std::uint64_t memory_bytes = 0;  // caches and write buffers
};

class Store {
 public:
  virtual ~Store() = default;

  // lists[i] becomes the seqs > after of buckets[i], at most `limit`. `lists` is resized.
  virtual void postings(std::span<const Bucket> buckets, Seq after, std::size_t limit,
                        std::vector<PostingList>& lists) = 0;

  // rows[i] is the row of seqs[i], or nothing. `rows` is resized.
  virtual void documents(std::span<const Seq> seqs,
                         std::vector<std::optional<DocumentRow>>& rows) = 0;

  // rows[i] is the row of keys[i], or nothing. `rows` is resized.
  virtual void ids(std::span<const IdKey> keys, std::vector<std::optional<IdRow>>& rows) = 0;

  // The normalised text of a document; nothing when it is not there or texts are not kept.
  virtual std::optional<std::string> text(Seq seq) = 0;

  // Small values by name: rule, positions, next seq, stream time. "format" and "uuid" (made with
  // the state) are the store's own.
  virtual std::optional<std::string> meta(std::string_view key) = 0;
  // All meta keys that begin with `prefix`, sorted, with their values.
  virtual std::vector<std::pair<std::string, std::string>> meta_with_prefix(
      std::string_view prefix) = 0;

  // A batch that was stored and whose flags may not be delivered yet (docs/formats/state.md).
  virtual std::optional<std::string> outbox(std::uint64_t batch) = 0;

  // Makes the whole set durable (unless the store is temporary) and visible, or throws.
  virtual void commit(const WriteSet& writes) = 0;

  virtual StoreStats stats() = 0;

  // Drops the postings of documents that are gone, and rewrites what is stored so that erased rows
  // no longer take space.
  virtual void compact() = 0;
};

enum class OpenMode : std::uint8_t {
  kReadWrite,  // creates the state when it is missing; Failure(kUnavailable) when another process
               // holds it
  kReadOnly,   // Failure(kUnavailable) when there is none; may run beside a writer
};

// Opens the store that `options.store` names. Failure(kConfig) when the directory holds a state of
// another format version or is not one of ours.
std::unique_ptr<Store> open_store(const StorageOptions& options, OpenMode mode);

// Removes the files of a state that nobody has open, and the directory if nothing else is in it.
// Nothing happens where there is none.
void destroy_state(const std::string& path);

// The version of everything stored; a state of another one is refused.
inline constexpr std::uint32_t kFormatVersion = 1;

}  // namespace neardup
