#include "storage/index/id_lookup.h"

#include <rocksdb/snapshot.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "storage/format.h"
#include "storage/rocksdb/read.h"

namespace neardup {
namespace {

constexpr std::size_t kAllPostings = ~std::size_t{0} >> 1;

struct Hint {
  std::size_t key;  // which of the ids
  Seq seq;
};

// Reads the rows at hinted seqs, and keeps the rows with the wanted ids.
class IdMatcher {
 public:
  // `snapshot`: null where no commit is being written.
  IdMatcher(const RocksdbState& state, std::span<const IdKey> keys,
            std::vector<std::optional<IdRow>>& rows, const rocksdb::Snapshot* snapshot = nullptr)
      : state_(state), keys_(keys), rows_(rows) {
    options_.snapshot = snapshot;
  }

  // Id rows take precedence over document rows, since they say whether the document was flagged.
  // Most ids have no id row.
  void read(std::vector<Hint> hints) {
    std::vector<bool> found(hints.size());
    find_rows(
        state_, Family::kIds, seqs_of(hints),
        [&](std::size_t place, std::string_view value) {
          const auto id = decode_id(hints[place].seq, value);
          if (!id) state_.damaged("an id");
          found[place] = true;
          match(hints[place], *id);
        },
        options_);
    std::size_t next = 0;
    std::erase_if(hints, [&](const Hint&) { return found[next++]; });
    find_rows(
        state_, Family::kDocs, seqs_of(hints),
        [&](std::size_t place, std::string_view value) {
          auto document = decode_document(hints[place].seq, value);
          if (!document) state_.damaged("a document");
          match(hints[place], implied_id(std::move(*document)));
        },
        options_);
  }

 private:
  const std::vector<Seq>& seqs_of(std::span<const Hint> hints) {
    seqs_.clear();
    for (const Hint& hint : hints) seqs_.push_back(hint.seq);
    return seqs_;
  }

  void match(const Hint& hint, const StoredId& id) {
    if (id.key == keys_[hint.key]) rows_[hint.key] = id.row;
  }

  const RocksdbState& state_;
  std::span<const IdKey> keys_;
  std::vector<std::optional<IdRow>>& rows_;
  rocksdb::ReadOptions options_;
  std::vector<Seq> seqs_;
};

// Calls visit(seq, value) for the first `limit` rows of seqs >= from, ascending.
template <class Visit>
void scan_at_most(const RocksdbState& state, Family family, Seq from, std::size_t limit,
                  Visit visit) {
  std::size_t seen = 0;
  scan_rows(state, family, from, [&](Seq seq, std::string_view value) {
    if (seen++ == limit) return false;
    visit(seq, value);
    return true;
  });
}

}  // namespace

void find_ids(const RocksdbState& state, Index& index, const OpenWrites& open,
              std::span<const IdKey> keys, Seq expired_before,
              std::vector<std::optional<IdRow>>& rows) {
  rows.assign(keys.size(), {});
  std::vector<Probe> probes;
  for (const IdKey& key : keys) probes.push_back(index.probe(key));
  PostingLists lists;
  index.find(probes, expired_before == 0 ? 0 : expired_before - 1, kAllPostings, lists);
  std::vector<Hint> hints;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (const Seq seq : lists.seqs(i)) {
      const auto* put = open.id(seq);
      if (put != nullptr && put->first == keys[i]) rows[i] = put->second;
      if (put == nullptr && !open.ends(seq)) hints.push_back({i, seq});
    }
  }
  if (!hints.empty()) IdMatcher(state, keys, rows).read(std::move(hints));
}

// The rows at the seqs of an id are gone when a commit since has given it a new version, and not
// there yet while one that gives it its first is being written.
std::optional<IdRow> find_id(const RocksdbState& state, Index& index, const IdKey& key) {
  constexpr int kAttempts = 50;
  std::vector<std::optional<IdRow>> rows(1);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::vector<Hint> hints;
    for (const Seq seq : index.seqs_of_id(key)) hints.push_back({0, seq});
    if (hints.empty()) return {};
    // A commit that is written in between must not show its document without its id row.
    rocksdb::ManagedSnapshot snapshot(&state.db());
    IdMatcher(state, {&key, 1}, rows, snapshot.snapshot()).read(std::move(hints));
    if (rows.front()) return rows.front();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return {};
}

void read_ages(const RocksdbState& state, Seq from, std::size_t limit, std::vector<Age>& ages) {
  ages.clear();
  scan_at_most(state, Family::kDocs, from, limit, [&](Seq seq, std::string_view value) {
    const auto row = decode_document(seq, value);
    if (!row) state.damaged("a document");
    ages.push_back({seq, row->time_ms, row->text_bytes});
  });
  scan_at_most(state, Family::kIds, from, limit, [&](Seq seq, std::string_view value) {
    const auto id = decode_id(seq, value);
    if (!id) state.damaged("an id");
    if (!id->row.has_document) ages.push_back({seq, id->row.time_ms, 0});
  });
  std::sort(ages.begin(), ages.end(), [](const Age& a, const Age& b) { return a.seq < b.seq; });
  if (ages.size() > limit) ages.resize(limit);
}

}  // namespace neardup
