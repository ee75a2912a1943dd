#include "storage/index/memtable_rows.h"

#include <algorithm>
#include <vector>

#include "storage/format.h"
#include "storage/rocksdb/read.h"

namespace neardup {
namespace {

constexpr std::size_t kRowsAtOnce = 4096;

Hash40 content_hash_of(const DocumentRow& row) {
  return hash_of(content_bucket(row.content, row.name_space));
}

using TakeEntries = std::function<void(std::span<const MemtableEntry>)>;

// Collects rows in the order of their seqs and passes their entries to `take`. A document adds the
// id that it implies.
class RowBatch {
 public:
  RowBatch(const MakeIndexEntry& make, std::uint64_t id_key, const TakeEntries& take)
      : make_(make), id_key_(id_key), take_(take) {}

  void add_document(DocumentRow row) {
    ids_.push_back({row.seq, hash_of({row.name_space, row.id}, id_key_)});
    if (make_) indexes_.push_back(make_(row));
    rows_.push_back(std::move(row));
    give_if_full();
  }
  void add_id(const StoredId& id) {
    if (id.row.has_document) return;
    ids_.push_back({id.row.seq, hash_of(id.key, id_key_)});
    give_if_full();
  }

  void give() {
    std::size_t document = 0;
    for (MemtableEntry& entry : ids_) {
      if (document == rows_.size() || rows_[document].seq != entry.seq) continue;
      entry.content = content_hash_of(rows_[document]);
      entry.tag = namespace_tag(rows_[document].name_space);
      if (make_) entry.index = &indexes_[document];
      ++document;
    }
    take_(ids_);
    ids_.clear();
    rows_.clear();
    indexes_.clear();
  }

 private:
  void give_if_full() {
    if (ids_.size() >= kRowsAtOnce) give();
  }

  const MakeIndexEntry& make_;
  std::uint64_t id_key_;
  const TakeEntries& take_;
  std::vector<MemtableEntry> ids_;
  std::vector<DocumentRow> rows_;  // ascending
  std::vector<IndexEntry> indexes_;
};

// Reads the id rows in ascending order, up to a given seq at a time.
class IdRows {
 public:
  IdRows(const RocksdbState& state, Seq from)
      : state_(state), at_(state.db().NewIterator({}, state.family(Family::kIds))) {
    const RowKey key = encode_row_key(from);
    at_->Seek({key.data(), key.size()});
  }

  void read_below(Seq end, RowBatch& batch) {
    for (; at_->Valid(); at_->Next()) {
      const auto seq = decode_row_key(at_->key().ToStringView());
      if (seq && *seq >= end) return;
      const auto id = seq ? decode_id(*seq, at_->value().ToStringView()) : std::nullopt;
      if (!id) state_.damaged("an id");
      batch.add_id(*id);
    }
    state_.check(at_->status(), "reading");
  }

 private:
  const RocksdbState& state_;
  std::unique_ptr<rocksdb::Iterator> at_;
};

}  // namespace

std::vector<MemtableEntry> entries_of(const WriteSet& writes, std::uint64_t id_key) {
  std::vector<MemtableEntry> entries;
  entries.reserve(writes.ids.size());
  for (const auto& [key, row] : writes.ids) entries.push_back({row.seq, hash_of(key, id_key)});
  std::sort(entries.begin(), entries.end(),
            [](const MemtableEntry& a, const MemtableEntry& b) { return a.seq < b.seq; });
  auto entry = entries.begin();
  for (const DocumentPut& put : writes.documents) {
    while (entry->seq < put.row.seq) ++entry;  // its id is among them
    entry->content = content_hash_of(put.row);
    entry->tag = namespace_tag(put.row.name_space);
    entry->index = &put.index;
  }
  return entries;
}

void read_entries(const RocksdbState& state, Seq from, const MakeIndexEntry& make,
                  std::uint64_t id_key,
                  const std::function<void(std::span<const MemtableEntry>)>& take) {
  RowBatch batch(make, id_key, take);
  IdRows ids(state, from);
  scan_rows(state, Family::kDocs, from, [&](Seq seq, std::string_view value) {
    auto row = decode_document(seq, value);
    if (!row) state.damaged("a document");
    ids.read_below(seq, batch);
    batch.add_document(std::move(*row));
    return true;
  });
  ids.read_below(kMaxSeq + 1, batch);
  batch.give();
}

}  // namespace neardup
