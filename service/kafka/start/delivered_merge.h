// Puts the pieces of all partitions of a topic in the order of their seqs. Each partition has them
// in that order; which partition has the next one, only reading tells. No Kafka in here.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "service/kafka/store/delivered.h"

namespace neardup {

class DeliveredMerge {
 public:
  // The next piece of a partition; nothing: it has no more.
  using Read = std::function<std::optional<DeliveredPiece>(std::size_t partition)>;

  // Pieces of the records first … last − 1. `topic` is for messages.
  DeliveredMerge(std::string topic, std::size_t partitions, Seq first, Seq last, Read read);

  // The piece with the next record, which is its first one but for the first call. Pieces before
  // it, and those that a restart with at_least_once has sent again, are passed over. Throws
  // Failure(kUnavailable) with both numbers when no partition has it, or when two pieces of one seq
  // differ.
  DeliveredPiece next();

 private:
  bool holds_next(const DeliveredPiece& piece) const {
    return piece.first <= next_ && next_ < piece.next;
  }
  bool read_heads();
  std::optional<DeliveredPiece> read_new(std::size_t partition);
  void require_repeat(const DeliveredPiece& piece) const;
  void remember(const DeliveredPiece& piece);
  [[noreturn]] void refuse_gap() const;

  struct Seen {
    Seq first = 0;
    std::uint64_t hash = 0;
  };

  const std::string topic_;
  const Seq first_;
  const Seq last_;
  const Read read_;
  Seq next_;
  std::vector<std::optional<DeliveredPiece>> heads_;
  std::vector<bool> ended_;
  std::vector<Seen> seen_;  // the latest, at first mod size
};

}  // namespace neardup
