#include "storage/rocksdb_read.h"

#include <algorithm>
#include <array>

#include "storage/format.h"

namespace neardup {
namespace {

using rocksdb::PinnableSlice;
using rocksdb::Slice;
using rocksdb::Status;

constexpr std::size_t kKeysAtOnce = 128;  // blocks that may be pinned at a time

struct BucketLookup {
  Bucket bucket;
  std::size_t place = 0;
  auto operator<=>(const BucketLookup&) const = default;
};

template <std::size_t size>
Slice as_slice(const std::array<char, size>& key) {
  return {key.data(), size};
}

void read_bucket(const RocksdbState& state, rocksdb::Iterator& at, const Bucket& bucket, Seq after,
                 std::size_t limit, PostingList& list) {
  if (after >= kMaxSeq) return;
  for (at.Seek(as_slice(encode_posting_key(bucket, after + 1))); at.Valid(); at.Next()) {
    if (list.seqs.size() == limit) {
      list.more = true;
      break;
    }
    const auto posting = decode_posting(at.key().ToStringView(), at.value().ToStringView());
    if (!posting) state.damaged("a posting");
    list.seqs.push_back(posting->seq);
  }
  state.check(at.status(), "looking up a bucket");
}

}  // namespace

void find_keys(RocksdbState& state, Family family, std::vector<KeyLookup>& lookups,
               const std::function<void(const KeyLookup&, std::string_view)>& found) {
  std::sort(lookups.begin(), lookups.end());
  std::array<Slice, kKeysAtOnce> keys;
  std::array<PinnableSlice, kKeysAtOnce> values;
  std::array<Status, kKeysAtOnce> statuses;
  for (std::size_t start = 0; start < lookups.size(); start += kKeysAtOnce) {
    const std::size_t count = std::min(kKeysAtOnce, lookups.size() - start);
    for (std::size_t i = 0; i < count; ++i) keys[i] = lookups[start + i].key;
    constexpr bool kSorted = true;
    state.db().MultiGet({}, state.family(family), count, keys.data(), values.data(),
                        statuses.data(), kSorted);
    for (std::size_t i = 0; i < count; ++i) {
      if (!statuses[i].IsNotFound()) {
        state.check(statuses[i], "looking up a key");
        found(lookups[start + i], values[i].ToStringView());
      }
      values[i].Reset();
    }
  }
}

void find_postings(RocksdbState& state, std::span<const Bucket> buckets, Seq after,
                   std::size_t limit, std::vector<PostingList>& lists) {
  lists.assign(buckets.size(), {});
  std::vector<BucketLookup> lookups;
  lookups.reserve(buckets.size());
  for (const Bucket& bucket : buckets) lookups.push_back({bucket, lookups.size()});
  std::sort(lookups.begin(), lookups.end());

  rocksdb::ReadOptions within_bucket;
  within_bucket.prefix_same_as_start = true;
  const std::unique_ptr<rocksdb::Iterator> at(
      state.db().NewIterator(within_bucket, state.family(Family::kIndex)));
  const BucketLookup* previous = nullptr;
  for (const BucketLookup& lookup : lookups) {
    PostingList& list = lists[lookup.place];
    if (previous != nullptr && previous->bucket == lookup.bucket) {
      list = lists[previous->place];  // a hot bucket is read once
    } else {
      read_bucket(state, *at, lookup.bucket, after, limit, list);
    }
    previous = &lookup;
  }
}

}  // namespace neardup
