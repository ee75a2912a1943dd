#include "storage/index/one_bits.h"

#include <algorithm>

namespace neardup {

OneBits::Run& OneBits::run_of(Seq seq) {
  const auto [run, made] = runs_.try_emplace(seq / kRunSeqs, Run{seq, nullptr});
  if (made) run->second.words = std::make_unique<std::uint64_t[]>(kRunSeqs * each_);
  return run->second;
}

void OneBits::fit() {
  while (memory_bytes() > budget_ && runs_.size() > 1 &&
         (runs_.begin()->first + 1) * kRunSeqs <= keep_) {
    runs_.erase(runs_.begin());
  }
}

void OneBits::put(Seq seq, std::span<const std::uint64_t> words) {
  each_ = static_cast<std::uint32_t>(words.size());
  std::copy(words.begin(), words.end(), run_of(seq).words.get() + (seq % kRunSeqs) * each_);
  fit();
}

std::string OneBits::stored(Seq begin, Seq end) const {
  std::string bytes(1, static_cast<char>(each_));
  const auto run = runs_.find(begin / kRunSeqs);
  if (run == runs_.end()) return bytes;
  const std::uint64_t* words = run->second.words.get() + (begin % kRunSeqs) * each_;
  return bytes.append(reinterpret_cast<const char*>(words), (end - begin) * each_ * sizeof *words);
}

bool OneBits::put_stored(Seq first, std::uint32_t each, std::span<const std::uint64_t> words) {
  each_ = each;
  if (!runs_.contains(first / kRunSeqs) && memory_bytes() + run_bytes() > budget_) return false;
  Run& run = run_of(first);
  run.first = first;
  std::copy(words.begin(), words.end(), run.words.get() + (first % kRunSeqs) * each_);
  return true;
}

}  // namespace neardup
