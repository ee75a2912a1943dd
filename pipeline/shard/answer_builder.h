// Fills an Answer, in which each document and each list is there once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "pipeline/shard/answer.h"

namespace neardup {

class AnswerBuilder {
 public:
  AnswerBuilder(Seq first, Seq as_of, std::size_t records)
      : answer_{.first = first, .as_of = as_of} {
    answer_.records.reset(records);
  }

  // To be called where there is something to report about the record. Valid until it is called for
  // another one.
  RecordAnswer& record(std::size_t i) { return answer_.records.add(i); }

  // Their numbers.
  std::uint32_t document(const DocumentRow& row);
  std::uint32_t list(const CutList& list);

  Answer take() { return std::move(answer_); }

 private:
  struct Hash {
    std::size_t operator()(const CutList& list) const;
  };

  Answer answer_;
  std::unordered_map<Seq, std::uint32_t> documents_;
  std::unordered_map<CutList, std::uint32_t, Hash> lists_;
};

}  // namespace neardup
