#include "storage/store.h"

#include <xxhash.h>

#include <algorithm>

namespace neardup {

Bucket content_bucket(const Hash128& content, std::string_view name_space) {
  const std::uint64_t of_namespace =
      name_space.empty() ? 0
                         : XXH3_64bits_withSeed(name_space.data(), name_space.size(), content.high);
  return {kContentBand, content.low ^ of_namespace};
}

NamespaceTag namespace_tag(std::string_view name_space) {
  const auto hash = static_cast<NamespaceTag>(XXH3_64bits(name_space.data(), name_space.size()));
  return hash == 0 ? 1 : hash;
}

std::uint64_t SketchView::count(NamespaceTag tag) const {
  const MutexLock lock(counts_mutex_);
  const auto known = counts_.find(tag);
  if (known != counts_.end()) return known->second;
  std::uint64_t count = 0;
  visit(0, end(), [&](const SketchBlock& block) {
    count += static_cast<std::uint64_t>(std::count(block.tags, block.tags + block.count, tag));
    return true;
  });
  counts_[tag] = count;
  return count;
}

void WriteSet::clear() {
  erase_documents.clear();
  erase_ids.clear();
  expired_before = 0;
  documents.clear();
  ids.clear();
  texts.clear();
  meta.clear();
  erase_outbox.clear();
  outbox.clear();
}

}  // namespace neardup
