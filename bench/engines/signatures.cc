#include "bench/engines/signatures.h"

#include <algorithm>
#include <random>

namespace neardup::bench {
namespace {

// Values below `range`, two from each random number.
template <class Value>
void fill(Value* row, std::uint32_t count, std::uint32_t range, std::mt19937_64& random) {
  for (std::uint32_t j = 0; j < count; j += 2) {
    const std::uint64_t bits = random();
    row[j] = static_cast<Value>((bits >> 32) * range >> 32);
    if (j + 1 < count) row[j + 1] = static_cast<Value>((bits & 0xffffffff) * range >> 32);
  }
}

}  // namespace

template <class Value>
Signatures<Value>::Signatures(std::uint32_t objects, std::uint32_t functions, std::uint32_t range,
                              std::uint32_t queries)
    : objects_(objects),
      functions_(functions),
      range_(range),
      stride_((functions + kLane - 1) / kLane * kLane),
      queries_(queries),
      rows_(std::size_t{objects} * stride_),
      asked_(std::size_t{queries} * stride_) {
  std::mt19937_64 random(17);
  for (std::uint32_t i = 0; i < objects; ++i) {
    fill(&rows_[std::size_t{i} * stride_], functions, range, random);
  }
  for (std::uint32_t i = 0; i < queries; ++i) {
    fill(&asked_[std::size_t{i} * stride_], functions, range, random);
  }
  // Places in strata, so that no two are the same.
  const std::size_t neighbours = queries * kNeighbours.size();
  for (std::uint64_t i = 0; i < neighbours; ++i) {
    const std::uint64_t begin = objects * i / neighbours;
    const std::uint64_t end = objects * (i + 1) / neighbours;
    places_.push_back(static_cast<std::uint32_t>(begin + random() % (end - begin)));
  }
  std::shuffle(places_.begin(), places_.end(), random);
  plant();
}

template <class Value>
void Signatures<Value>::plant() {
  std::mt19937_64 random(23);
  for (std::uint32_t i = 0; i < queries_; ++i) {
    for (std::size_t j = 0; j < kNeighbours.size(); ++j) {
      std::bernoulli_distribution equal(kNeighbours[j]);
      Value* const stranger = &rows_[std::size_t{neighbour(i, j)} * stride_];
      for (std::uint32_t f = 0; f < functions_; ++f) {
        if (equal(random)) stranger[f] = query(i)[f];
      }
    }
  }
}

template class Signatures<std::uint8_t>;
template class Signatures<std::uint16_t>;

}  // namespace neardup::bench
