// Merges the pieces of all partitions of a topic by seq. Within a partition they are in that order
// already. No Kafka in here.
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
  // Returns the next piece of a partition, or nothing at its end.
  using Read = std::function<std::optional<DeliveredPiece>(std::size_t partition)>;

  // For the records first … last − 1. `topic` is for error messages.
  DeliveredMerge(std::string topic, std::size_t partitions, Seq first, Seq last, Read read);

  // The piece that holds the next record. That record is the first of its piece, except possibly in
  // the first call. Skips earlier pieces, and repeats that a restart with at_least_once has sent.
  // Throws Failure(kUnavailable) with both numbers when no partition has the record, or when two
  // pieces of one seq differ.
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
  std::vector<Seen> seen_;  // the latest pieces, at first % size
};

}  // namespace neardup
