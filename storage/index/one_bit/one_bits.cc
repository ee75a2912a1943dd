#include "storage/index/one_bit/one_bits.h"

#include <algorithm>
#include <utility>

namespace neardup {

SketchRun& OneBits::run_of(Seq seq) {
  const auto [run, made] = runs_.try_emplace(seq / kRunSeqs, SketchRun{seq, nullptr, nullptr});
  if (made) {
    run->second.words = std::make_shared<std::uint64_t[]>(kRunSeqs * each_);
    run->second.tags = std::make_shared<RunTags>();
  }
  return run->second;
}

void OneBits::fit() {
  while (memory_bytes() > budget_ && runs_.size() > 1 &&
         (runs_.begin()->first + 1) * kRunSeqs <= keep_) {
    runs_.erase(runs_.begin());
    complete_ = false;
  }
}

void OneBits::put(Seq seq, NamespaceTag tag, std::span<const std::uint64_t> words) {
  each_ = static_cast<std::uint32_t>(words.size());
  SketchRun& run = run_of(seq);
  std::copy(words.begin(), words.end(), run.words.get() + (seq % kRunSeqs) * each_);
  (*run.tags)[seq % kRunSeqs] = tag;  // no view reads that far
  fit();
}

void OneBits::erase(Seq seq) {
  const auto run = runs_.find(seq / kRunSeqs);
  if (run == runs_.end() || (*run->second.tags)[seq % kRunSeqs] == 0) return;
  std::shared_ptr<RunTags>& tags = run->second.tags;
  if (tags.use_count() > 1) tags = std::make_shared<RunTags>(*tags);
  (*tags)[seq % kRunSeqs] = 0;
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
  if (!runs_.contains(first / kRunSeqs) && memory_bytes() + run_bytes() > budget_) {
    complete_ = false;
    return false;
  }
  SketchRun& run = run_of(first);
  run.first = first;
  std::copy(words.begin(), words.end(), run.words.get() + (first % kRunSeqs) * each_);
  return true;
}

void OneBits::put_stored_tags(std::uint64_t run, const RunTags& tags, Seq end) {
  const auto held = runs_.find(run);
  if (held == runs_.end()) return;
  const Seq start = run * kRunSeqs;
  for (Seq seq = held->second.first; seq < std::min(end, start + kRunSeqs); ++seq) {
    (*held->second.tags)[seq - start] = tags[seq - start];
  }
}

std::vector<std::uint64_t> OneBits::run_numbers() const {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, run] : runs_) numbers.push_back(number);
  return numbers;
}

Seq OneBits::copy_tags(std::uint64_t run, RunTags& tags) const {
  const Seq start = run * kRunSeqs;
  const auto held = runs_.find(run);
  if (held == runs_.end()) return complete_ ? start : start + kRunSeqs;
  tags = *held->second.tags;
  return complete_ ? start : held->second.first;
}

SketchRuns OneBits::share() const {
  std::vector<SketchRun> runs;
  runs.reserve(runs_.size());
  for (const auto& [number, run] : runs_) runs.push_back(run);
  return {std::move(runs), each_};
}

}  // namespace neardup
