// A cache of the shingle sets of stored documents for exact verification, made from their kept
// texts.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "gpu/cpu/shingler.h"
#include "pipeline/model/types.h"
#include "pipeline/text/normalise.h"

namespace neardup {

using ShingleSet = std::vector<std::uint64_t>;  // sorted, distinct

// |A ∩ B| and |A ∪ B|.
struct Overlap {
  std::uint64_t common = 0;
  std::uint64_t all = 0;
};
Overlap overlap(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

class ExactSets {
 public:
  // `text_of` returns the kept text of a document, raw or normalised, or nothing.
  using TextOf = std::function<std::optional<std::string>(Seq)>;
  ExactSets(Shingler shingler, Normaliser normaliser, TextOf text_of)
      : shingler_(std::move(shingler)),
        normaliser_(std::move(normaliser)),
        text_of_(std::move(text_of)) {}

  ShingleSet of_text(std::string_view normalised) { return shingler_.sorted_set(normalised); }

  // Null when the text is not kept. Valid until the next call.
  const ShingleSet* of_document(Seq seq);

 private:
  void evict();

  struct Entry {
    Seq seq;
    ShingleSet set;
  };
  Shingler shingler_;
  Normaliser normaliser_;
  TextOf text_of_;
  std::string normalised_;
  std::list<Entry> recent_;  // most recently used first
  std::unordered_map<Seq, std::list<Entry>::iterator> entries_;
  std::size_t elements_ = 0;
};

}  // namespace neardup
