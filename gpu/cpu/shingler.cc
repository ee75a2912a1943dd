#include "gpu/cpu/shingler.h"

#include <algorithm>
#include <string>

#include "gpu/cpu/element_set.h"
#include "gpu/cpu/kernels/kernels.h"
#include "gpu/cpu/simd_level.h"
#include "pipeline/model/text_batch.h"

namespace neardup {

Shingler::Shingler(const ShingleOptions& options, const Seed& seed, SimdLevel simd)
    : options_(options),
      keys_(make_shingle_keys(seed, options.size)),
      kernels_(&kernels(resolve_simd(simd))) {}

void Shingler::make_room(std::size_t units) {
  if (units <= room_) return;
  room_ = std::max(units, 2 * room_);
  values_ = std::make_unique_for_overwrite<std::uint64_t[]>(room_);
  elements_ = std::make_unique_for_overwrite<std::uint64_t[]>(room_);
}

std::span<const std::uint64_t> Shingler::elements(std::string_view padded_text) {
  make_room(padded_text.size() + 1);
  const auto split =
      options_.unit == ShingleUnit::kWord ? kernels_->word_values : kernels_->char_values;
  const std::size_t units = split(keys_, padded_text.data(), padded_text.size(), values_.get());
  const std::size_t count =
      kernels_->elements(keys_, options_.size, values_.get(), units, elements_.get());
  return {elements_.get(), count};
}

std::vector<std::uint64_t> Shingler::sorted_set(std::string_view text) {
  std::string padded(text);
  padded.append(kTextPadding, '\0');
  return element_set(elements({padded.data(), text.size()}));
}

}  // namespace neardup
