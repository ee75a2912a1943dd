#include "storage/index/epoch.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "storage/bytes.h"

namespace neardup {
namespace {

constexpr std::string_view kEpochKey = "index_epoch";

std::uint32_t read_epoch(const RocksdbState& state) {
  std::string value;
  const rocksdb::Status status =
      state.db().Get({}, state.family(Family::kDefault), rocksdb::Slice(kEpochKey), &value);
  if (status.IsNotFound()) return 0;
  state.check(status, "opening the index");
  ByteReader reader(value);
  const std::uint32_t epoch = reader.varint32();
  if (!reader.finished()) state.damaged("the epoch of the index");
  return epoch;
}

}  // namespace

StoredGenerations read_generations(const RocksdbState& state) {
  StoredGenerations stored;
  stored.epoch = read_epoch(state);
  const std::vector<Manifest> all = read_manifests(state);
  for (const Manifest& manifest : all) {
    stored.next_number = std::max(stored.next_number, manifest.generation + 1);
    const bool merged = std::any_of(
        all.begin(), all.end(), [&](const Manifest& other) { return replaces(other, manifest); });
    if (merged || manifest.epoch < stored.epoch) {
      stored.superseded.push_back(manifest.generation);
    } else if (manifest.epoch == stored.epoch) {
      stored.current.push_back(manifest);
    } else {
      stored.next.push_back(manifest);
    }
  }
  const auto by_seq = [](const Manifest& a, const Manifest& b) { return a.first < b.first; };
  std::sort(stored.current.begin(), stored.current.end(), by_seq);
  std::sort(stored.next.begin(), stored.next.end(), by_seq);
  return stored;
}

void put_epoch(const RocksdbState& state, std::uint32_t epoch, rocksdb::WriteBatch& batch) {
  std::string value;
  ByteWriter(value).varint(epoch);
  state.check(batch.Put(state.family(Family::kDefault), rocksdb::Slice(kEpochKey), value),
              "gathering a batch");
}

}  // namespace neardup
