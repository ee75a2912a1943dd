#include "storage/store.h"

#include <xxhash.h>

namespace neardup {

Bucket content_bucket(const Hash128& content, std::string_view name_space) {
  const std::uint64_t of_namespace =
      name_space.empty() ? 0
                         : XXH3_64bits_withSeed(name_space.data(), name_space.size(), content.high);
  return {kContentBand, content.low ^ of_namespace};
}

void WriteSet::clear() {
  erase_documents.clear();
  erase_ids.clear();
  expired_before = 0;
  documents.clear();
  ids.clear();
  meta.clear();
  erase_outbox.clear();
  outbox.clear();
}

}  // namespace neardup
