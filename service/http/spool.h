// An answer until its client takes it: in memory, or once it is long in a file without a name,
// which goes with its last user; and what all such answers may take together.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "metrics/labels.h"
#include "pipeline/base/failure.h"
#include "service/http/message/message.h"

namespace neardup {

struct SpoolLimits {
  std::uint64_t memory = 0;  // bytes
  std::uint64_t disk = 0;    // bytes
  std::string directory;     // of the files
};

// What they have taken. Any thread may make any call.
class SpoolBudget {
 public:
  explicit SpoolBudget(SpoolLimits limits) : limits_(std::move(limits)) {}
  SpoolBudget(const SpoolBudget&) = delete;
  SpoolBudget& operator=(const SpoolBudget&) = delete;

  // False: there is less left, and nothing was taken.
  bool take(SpoolPlace place, std::uint64_t bytes);
  void give_back(SpoolPlace place, std::uint64_t bytes) { used_of(place) -= bytes; }
  // An answer was refused, since it would have taken more than there is.
  void count_refusal() { ++refused_; }

  const SpoolLimits& limits() const { return limits_; }
  std::uint64_t limit(SpoolPlace place) const {
    return place == SpoolPlace::kMemory ? limits_.memory : limits_.disk;
  }
  std::uint64_t used(SpoolPlace place) const { return used_[static_cast<std::size_t>(place)]; }
  std::uint64_t refused() const { return refused_; }

 private:
  std::atomic<std::uint64_t>& used_of(SpoolPlace place) {
    return used_[static_cast<std::size_t>(place)];
  }

  const SpoolLimits limits_;
  std::array<std::atomic<std::uint64_t>, 2> used_ = {};
  std::atomic<std::uint64_t> refused_{0};
};

// There is no room for more of an answer.
class SpoolFull : public Failure {
 public:
  // `most`: bytes that the answer alone may not exceed; 0: others hold the room.
  explicit SpoolFull(std::uint64_t most);
  std::uint64_t most() const { return most_; }

 private:
  std::uint64_t most_;
};

// 413 `answer_too_large` when the answer alone is too large, with `advice`; else 503
// `answers_waiting`, with `then`: what a client that comes again has to know.
HttpAnswer problem_of(const SpoolFull& full, std::string_view advice, std::string_view then);

// Throws Failure(kConfig), which names `key`, when no spool can be written in `directory`.
void require_spool_directory(const std::string& directory, std::string_view key);

class Spool : public HttpBody {
 public:
  static constexpr std::uint64_t kAnySize = std::numeric_limits<std::uint64_t>::max();

  // It takes `most` bytes. The budget must outlive it.
  explicit Spool(SpoolBudget& budget, std::uint64_t most = kAnySize);
  ~Spool() override;
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  // Throws SpoolFull, and Failure(kIo) when the file cannot be written. Afterwards it is of no use.
  void append(std::string_view bytes);

  std::uint64_t size() const override { return in_file_ + memory_.size(); }
  bool read(std::uint64_t at, std::span<char> bytes) const override;

 private:
  bool keep_in_memory(std::string_view bytes);
  void write_out(std::string_view more);
  void write(std::string_view bytes);

  SpoolBudget& budget_;
  const std::uint64_t most_;
  std::string memory_;         // what follows the bytes in the file
  std::uint64_t in_file_ = 0;  // bytes
  std::uint64_t taken_ = 0;    // bytes of the budget on disk
  int file_ = -1;              // -1: there is none
};

}  // namespace neardup
