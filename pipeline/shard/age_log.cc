#include "pipeline/shard/age_log.h"

#include <algorithm>

namespace neardup {
namespace {

template <class Ages>
auto first_from(Ages& ages, Seq seq) {
  return std::ranges::lower_bound(ages, seq, {}, &Age::seq);
}

}  // namespace

AgeLog::AgeLog(std::vector<Age> ages, Tombstones& tombstones)
    : ages_(ages.begin(), ages.end()), readable_(ages.size()) {
  tombstones.listen(*this);
}

void AgeLog::read(Seq from, std::size_t limit, std::vector<Age>& ages) const {
  const auto end = ages_.begin() + static_cast<std::ptrdiff_t>(readable_);
  const auto begin = std::min(first_from(ages_, from), end);
  const auto count = std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(limit), end - begin);
  ages.assign(begin, begin + count);
}

void AgeLog::committed(Seq watermark) {
  ages_.erase(ages_.begin(), first_from(ages_, watermark));
  readable_ = ages_.size();
}

std::uint64_t AgeLog::text_bytes() const {
  std::uint64_t bytes = 0;
  for (const Age& age : ages_) bytes += age.text_bytes;
  return bytes;
}

void AgeLog::on_tombstone(const Tombstone& tombstone) {
  const auto ended = first_from(ages_, tombstone.seq);
  if (ended != ages_.end() && ended->seq == tombstone.seq) ended->text_bytes = 0;
}

}  // namespace neardup
