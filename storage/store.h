// The store: sketches, LSH buckets and ids of the documents so far, and the positions of the
// inputs.
//
// Reads see the last `commit`; a commit takes effect as a whole or not at all. One thread at a time
// may call a store, but several may look up at once (`postings`, `one_bit`, `documents`, `ids`)
// while the owner calls nothing else. Every disk error is a Failure(kIo), after which the process
// must end.
//
// A commit may also be begun and finished later. In between, the look-ups of the owner and `text`
// see it, what other threads read does not, and every other call of the owner finishes it first.
//
// Postings are hints. The caller (pipeline/match) decides whether a listed document is still live
// and really has the values of the band.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/model/types.h"
#include "storage/options.h"
#include "storage/sketch_view.h"
#include "storage/stats.h"

namespace neardup {

// The key of a bucket. Bands 0 … M − 1 are LSH bands; kContentBand is the index of contents.
struct Bucket {
  std::uint16_t band = 0;
  std::uint64_t key = 0;
  auto operator<=>(const Bucket&) const = default;
};
inline constexpr std::uint16_t kContentBand = 0xffff;
// The bucket of one text in one namespace. Its key is a hash of both: the low word of the content
// hash, in a namespace other than the empty one with a hash of the name, keyed by the high word.
Bucket content_bucket(const Hash128& content, std::string_view name_space);

// One live id. It exists for every document, flagged or kept, that is neither rejected nor deleted.
struct IdRow {
  Seq seq = 0;               // the arrival number of the version
  std::int64_t time_ms = 0;  // stream time at its arrival
  Hash128 content = {};
  bool kept = true;  // false: flagged (under `against: all` it has a document row all the same)
  bool has_document = true;  // is there a DocumentRow for `seq`?
  Seq original = 0;          // flagged: the original that it repeats
  Ppm similarity = 0;        // flagged: the similarity to it
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
};

// The index entry of a document. It follows from the row, so the write-ahead log does not hold it.
struct IndexEntry {
  std::vector<std::uint64_t> buckets;  // its key in band m at [m]; empty without a sketch
  std::vector<std::uint64_t> one_bit;  // packed 1-bit sketch; empty without a sketch
};
using MakeIndexEntry = std::function<IndexEntry(const DocumentRow&)>;

struct DocumentPut {
  DocumentRow row;
  std::string_view
      text;  // raw or normalised; stored unless StorageOptions::keep_texts is kNone. Not owned.
  IndexEntry index;
};

// A document, and the number of ids that repeat it.
struct DocumentGroup {
  DocumentRow original;
  std::uint64_t copies = 0;
};

struct IdKey {
  std::string name_space;
  std::string id;
  bool operator==(const IdKey&) const = default;
};

// All changes of one batch, applied in this order: erasures, then puts.
//
// Requires: erased documents and ids exist, ids with the rows that `Store::ids` returns, and the id
// of a document is erased with it. New rows have seqs above all earlier ones, and not below
// `expired_before`. When an id is put that already has a row that has not expired, the same set
// erases that row.
struct WriteSet {
  std::vector<Seq> erase_documents;                // row, text and index entry
  std::vector<std::pair<IdKey, IdRow>> erase_ids;  // and texts without a document
  Seq expired_before = 0;              // documents and ids of smaller seqs are erased, too
  std::vector<DocumentPut> documents;  // ascending; their ids are among `ids`
  std::vector<std::pair<IdKey, IdRow>> ids;
  std::vector<std::pair<Seq, std::string_view>> texts;    // of `ids` without a document; not owned
  std::vector<std::pair<std::string, std::string>> meta;  // an empty value erases the key
  std::vector<std::uint64_t> erase_outbox;                // batch numbers; before the puts, too
  std::vector<std::pair<std::uint64_t, std::string>> outbox;  // batch number → bytes, never empty
  void clear();
};

// The seqs of many buckets, oldest first in each.
class PostingLists {
 public:
  std::size_t size() const { return lists_.size(); }
  std::span<const Seq> seqs(std::size_t i) const {
    return {seqs_.data() + lists_[i].begin, lists_[i].count};
  }
  // The bucket holds later seqs than those listed.
  bool more(std::size_t i) const { return lists_[i].more; }

  // For stores: `clear` makes `buckets` empty lists, then `set` and `repeat` fill each at most
  // once.
  void clear(std::size_t buckets) {
    lists_.assign(buckets, {});
    seqs_.clear();
  }
  void set(std::size_t i, std::span<const Seq> seqs, bool more) {
    lists_[i] = {static_cast<std::uint32_t>(seqs_.size()),
                 static_cast<std::uint32_t>(seqs.size()) & kMostSeqs, more};
    seqs_.insert(seqs_.end(), seqs.begin(), seqs.end());
  }
  // List i becomes the same as list `as`.
  void repeat(std::size_t i, std::size_t as) { lists_[i] = lists_[as]; }
  std::span<const Seq> all() const { return seqs_; }

 private:
  static constexpr std::uint32_t kMostSeqs = 0x7fffffff;
  struct List {
    std::uint32_t begin = 0;
    std::uint32_t count : 31 = 0;
    bool more : 1 = false;
  };
  std::vector<List> lists_;
  std::vector<Seq> seqs_;
};

// The age of a live document or id.
struct Age {
  Seq seq = 0;
  std::int64_t time_ms = 0;
  std::uint32_t text_bytes = 0;  // of its document; 0 for an id without one
  bool operator==(const Age&) const = default;
};

struct StoreSize {
  std::uint64_t documents = 0;  // rows in the store
  std::uint64_t ids = 0;
  std::uint64_t postings = 0;      // of bands, contents and ids; including those of tombstones
  std::uint64_t disk_bytes = 0;    // 0 for the memory store
  std::uint64_t memory_bytes = 0;  // caches, filters, 1-bit sketches
};

class Store {
 public:
  virtual ~Store() = default;

  // Sets the function that computes the index entry of a document from its row. To be called once,
  // before the first `postings` or `one_bit`: a store does not log the entries of new documents.
  virtual void set_index(const MakeIndexEntry& make) = 0;

  // List i becomes the seqs > after of buckets[i], at most `limit`. They are hints: some may belong
  // to deleted documents or to other buckets; none is missing.
  virtual void postings(std::span<const Bucket> buckets, Seq after, std::size_t limit,
                        PostingLists& lists) = 0;

  // The packed 1-bit sketch of a document that `postings` listed. Null: it is not in memory, and
  // the row has to be read. Valid until the next commit.
  virtual const std::uint64_t* one_bit(Seq seq) = 0;

  // The packed 1-bit sketches as of the last commit. Any thread may call this once the owner of the
  // store has called it or has committed; the owner has called `set_index` before.
  virtual std::shared_ptr<const SketchView> sketches() = 0;

  // rows[i] is the row of seqs[i], or nothing. `rows` is resized.
  virtual void documents(std::span<const Seq> seqs,
                         std::vector<std::optional<DocumentRow>>& rows) = 0;

  // rows[i] is the row of keys[i], or nothing. `rows` is resized.
  virtual void ids(std::span<const IdKey> keys, std::vector<std::optional<IdRow>>& rows) = 0;

  // As `ids`, for one id and from any thread, under the same conditions as `sketches`. The answer
  // is that of the last commit, or of the one that is being made.
  virtual std::optional<IdRow> find_id(const IdKey& key) = 0;

  // The ids whose row names `original`, by ascending seqs >= from, at most `limit`. They outlive
  // the deletion of the original, but not its expiry. Any thread.
  virtual std::vector<std::pair<IdKey, IdRow>> copies(Seq original, Seq from,
                                                      std::size_t limit) = 0;

  // The documents with the most copies, at most `limit`, the most first, among equals the earlier
  // one; as of one commit. Reads an entry for each copy in the store. Any thread.
  virtual std::vector<DocumentGroup> largest_groups(std::size_t limit) = 0;

  // The live documents and ids of seqs >= from, oldest first, one a seq, at most `limit`.
  virtual void ages(Seq from, std::size_t limit, std::vector<Age>& ages) = 0;

  // The text of a document or of an id without one, raw or normalised as it was put; nothing when
  // it is not stored.
  virtual std::optional<std::string> text(Seq seq) = 0;

  // Small values by name: rule, positions, next seq, stream time. "format" and "uuid" (made with
  // the state) are the store's own. Any thread may call this.
  virtual std::optional<std::string> meta(std::string_view key) = 0;
  // All meta keys that begin with `prefix`, sorted, with their values.
  virtual std::vector<std::pair<std::string, std::string>> meta_with_prefix(
      std::string_view prefix) = 0;

  // A stored batch of the outbox, whose flags may not be delivered yet (docs/formats/outbox.md).
  virtual std::optional<std::string> outbox(std::uint64_t batch) = 0;

  // Makes the whole set durable (unless the store is temporary) and visible, or throws.
  virtual void commit(const WriteSet& writes) = 0;

  // Begins a commit. `writes` must neither change nor be destroyed until it is finished. `done` is
  // called when its write has ended, perhaps badly, from any thread, unless that was so before this
  // returns; `commit_has_ended` says so by then.
  virtual void begin_commit(const WriteSet& writes, std::function<void()> done) = 0;
  // Is there no commit whose write still runs? `finish_commit` does not wait then.
  virtual bool commit_has_ended() = 0;
  // Waits for the commit that was begun, if it is not finished yet, and makes it visible to all, or
  // throws what its write has failed with.
  virtual void finish_commit() = 0;

  virtual StoreSize size() = 0;

  // Any thread may call this, concurrently with the owner of the store.
  virtual StoreStats stats() = 0;

  // Whether a `commit` waits for the work of another thread of the store. Any thread; cheap.
  virtual CommitWait commit_wait() { return {}; }

  // Drops the postings of deleted documents, and rewrites the files so that erased rows no longer
  // take space.
  virtual void compact() = 0;

  // Indexes all documents again, for other bands or from an older format, and then sets `meta` (an
  // empty value erases the key), all or nothing. The state has this program's format then. An
  // interrupted call leaves the state as it was, and the next one with the same `meta` resumes from
  // there. Failure(kConfig) when the store is not on disk. To be called before any look-up or
  // commit, and as the last call: open the store again afterwards.
  virtual void rebuild_index(const MakeIndexEntry& make,
                             const std::vector<std::pair<std::string, std::string>>& meta,
                             const std::function<void(Seq)>& progress) = 0;

  // Makes a copy of the state, as of the last commit, in a directory that does not exist yet.
  // Failure(kConfig) when the store is not on disk.
  virtual void checkpoint(const std::string& path) = 0;
};

enum class OpenMode : std::uint8_t {
  kReadWrite,  // creates the state when it is missing; Failure(kUnavailable) when another process
               // holds it
  kReadOnly,   // Failure(kUnavailable) when there is none; may run concurrently with a writer
  kMigrate,    // as kReadWrite, and accepts a state of kMigratedFormats, of which only rows and
               // meta keys may be read until rebuild_index has been called
};

// The version of the whole state; a state of another version is refused. rebuild_index makes this
// version of two older ones: version 3 has no copies, and version 2 also an index of contents
// without namespaces.
inline constexpr std::uint32_t kFormatVersion = 4;
inline constexpr std::array<std::uint32_t, 2> kMigratedFormats{2, 3};

}  // namespace neardup
