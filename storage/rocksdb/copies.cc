#include "storage/rocksdb/copies.h"

#include <memory>
#include <optional>
#include <string>

#include "storage/format.h"
#include "storage/rocksdb/read.h"
#include "storage/top_groups.h"

namespace neardup {
namespace {

constexpr std::size_t kBatchBytes = std::size_t{4} << 20;

// The state as of one commit, for a thread that does not own it.
class View {
 public:
  explicit View(const RocksdbState& state)
      : state_(state), snapshot_(&state.db()), options_(read_once()) {
    options_.snapshot = snapshot_.snapshot();
  }

  // Calls visit(seqs) for the copies from `from` on until it returns false.
  template <typename Visit>
  void visit(CopySeqs from, const Visit& visit) const {
    const std::unique_ptr<rocksdb::Iterator> at(
        state_.db().NewIterator(options_, state_.family(Family::kCopies)));
    for (at->Seek(as_slice(encode_copy_key(from))); at->Valid(); at->Next()) {
      const auto seqs = decode_copy_key(at->key().ToStringView());
      if (!seqs) state_.damaged("a key");
      if (!visit(*seqs)) return;
    }
    state_.check(at->status(), "reading");
  }

  // Nothing: it has expired since.
  std::optional<StoredId> id(Seq seq) const {
    const auto value = row(Family::kIds, seq);
    if (!value) return {};
    auto id = decode_id(seq, *value);
    if (!id) state_.damaged("an id");
    return id;
  }

  // Nothing: it has ended.
  std::optional<DocumentRow> document(Seq seq) const {
    const auto value = row(Family::kDocs, seq);
    if (!value) return {};
    auto document = decode_document(seq, *value);
    if (!document) state_.damaged("a document");
    return document;
  }

 private:
  std::optional<std::string> row(Family family, Seq seq) const {
    std::string value;
    const rocksdb::Status status =
        state_.db().Get(options_, state_.family(family), as_slice(encode_row_key(seq)), &value);
    if (status.IsNotFound()) return {};
    state_.check(status, "reading");
    return value;
  }

  const RocksdbState& state_;
  rocksdb::ManagedSnapshot snapshot_;
  rocksdb::ReadOptions options_;
};

}  // namespace

std::vector<std::pair<IdKey, IdRow>> read_copies(const RocksdbState& state, Seq original, Seq from,
                                                 std::size_t limit) {
  std::vector<std::pair<IdKey, IdRow>> copies;
  const View view(state);
  view.visit({original, from}, [&](CopySeqs seqs) {
    if (seqs.original != original || copies.size() == limit) return false;
    if (auto id = view.id(seqs.copy)) copies.emplace_back(std::move(id->key), id->row);
    return true;
  });
  return copies;
}

std::vector<DocumentGroup> find_largest_groups(const RocksdbState& state, Seq expired_before,
                                               std::size_t limit) {
  TopGroups top(limit);
  const View view(state);
  Seq original = 0;
  std::uint64_t copies = 0;
  const auto end_group = [&] {
    if (copies == 0 || !top.wants(copies)) return;
    if (auto row = view.document(original)) top.add(std::move(*row), copies);
  };
  view.visit({expired_before, 0}, [&](CopySeqs seqs) {
    if (seqs.original != original) {
      end_group();
      original = seqs.original;
      copies = 0;
    }
    ++copies;
    return true;
  });
  end_group();
  return top.take();
}

void put_missing_copies(const RocksdbState& state) {
  rocksdb::WriteBatch batch;
  scan_rows(state, Family::kIds, 0, [&](Seq seq, std::string_view value) {
    const auto id = decode_id(seq, value);
    if (!id) state.damaged("an id");
    if (id->row.kept) return true;
    state.check(batch.Put(state.family(Family::kCopies),
                          as_slice(encode_copy_key({id->row.original, seq})), {}),
                "gathering a batch");
    if (batch.GetDataSize() > kBatchBytes) {
      state.write(batch, "writing");
      batch.Clear();
    }
    return true;
  });
  state.write(batch, "writing");
}

}  // namespace neardup
