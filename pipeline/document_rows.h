// Rows of stored documents, fetched in bulk and kept for a while: candidates come again and again.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "storage/store.h"

namespace neardup {

class DocumentRows {
 public:
  explicit DocumentRows(Store& store) : store_(store) {}

  // Fetches those of `seqs` that are not at hand, in one call of the store. May forget rows of
  // earlier calls; rows of this one stay until the next. `seqs` is sorted and made unique.
  void fetch(std::vector<Seq>& seqs);

  // The row, or null when the store has none. Valid until the next `fetch`, `forget` of it, or a
  // miss.
  const DocumentRow* get(Seq seq);

  // The document ends or has ended.
  void forget(Seq seq) { rows_.erase(seq); }

 private:
  Store& store_;
  std::unordered_map<Seq, std::optional<DocumentRow>> rows_;
  std::vector<Seq> missing_;
  std::vector<std::optional<DocumentRow>> fetched_;
};

}  // namespace neardup
