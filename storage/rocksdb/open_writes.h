// The changes of a commit whose rows are being written: look-ups of the owner see them before
// RocksDB has them. Included within storage/ only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "storage/store.h"

namespace neardup {

class OpenWrites {
 public:
  // Until `close`, `writes` must neither change nor be destroyed. Seqs that it puts are above all
  // earlier ones.
  void open(const WriteSet& writes);
  void close();

  // Does it end the document, or the version, of a seq?
  bool ends(Seq seq) const;
  // The document of a seq; null: it puts none.
  const DocumentRow* document(Seq seq) const;
  // The version of a seq; null: it puts none.
  const std::pair<IdKey, IdRow>* id(Seq seq) const;
  // The text of a seq, as it was put; nothing: it puts none.
  std::optional<std::string> text(Seq seq) const;

 private:
  const WriteSet* writes_ = nullptr;
  Seq first_ = ~Seq{0};                             // that it puts; none: above all
  std::vector<Seq> ended_;                          // ascending
  std::vector<std::pair<Seq, std::uint32_t>> ids_;  // seq → index into writes_->ids, ascending
};

}  // namespace neardup
