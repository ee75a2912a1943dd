#include "pipeline/shard/window.h"

#include <utility>

namespace neardup {

Window::Window(Seq base, bool keeps_texts, Tombstones& tombstones)
    : keeps_texts_(keeps_texts),
      generations_{Generation(tombstones), Generation(tombstones)},
      base_(base),
      split_(base) {
  tombstones.listen(*this);
}

void Window::Generation::clear() {
  pending.clear();
  ended.clear();
  texts.clear();
}

void Window::restart(Seq last) {
  for (Generation& generation : generations_) generation.clear();
  base_ = split_ = last;
}

void Window::shrink(Seq as_of, Seq last) {
  if (as_of < split_) return;
  older().clear();
  newer_ = 1 - newer_;
  base_ = std::exchange(split_, last);
}

Pending::Id Window::find_id(const IdKey& key, IdRow& row) const {
  const Pending::Id found = newer().pending.find_id(key, row);
  return found == Pending::Id::kUntouched ? older().pending.find_id(key, row) : found;
}

const DocumentPut* Window::document(Seq seq) const {
  const DocumentPut* found = newer().pending.document(seq);
  return found == nullptr ? older().pending.document(seq) : found;
}

void Window::add(DocumentRow row, std::string_view text, std::span<const std::uint64_t> buckets) {
  const std::string_view kept =
      keeps_texts_ ? newer().texts.emplace_back(text) : std::string_view{};
  newer().pending.add({std::move(row), kept, {}}, buckets);
}

}  // namespace neardup
