#include "gpu/shingler.h"

#include <algorithm>
#include <string>

#include "gpu/cpu/simd_level.h"
#include "pipeline/core/text_batch.h"

namespace neardup {

Shingler::Shingler(const ShingleOptions& options, const Seed& seed, SimdLevel simd)
    : options_(options),
      keys_(make_shingle_keys(seed, options.size)),
      kernels_(&kernels(resolve_simd(simd))) {}

std::span<const std::uint64_t> Shingler::elements(std::string_view padded_text) {
  const std::size_t most = padded_text.size() + 1;
  if (values_.size() < most) {
    values_.resize(most);
    elements_.resize(most);
  }
  const auto split =
      options_.unit == ShingleUnit::kWord ? kernels_->word_values : kernels_->char_values;
  const std::size_t units =
      split(keys_.token, padded_text.data(), padded_text.size(), values_.data());
  const std::size_t count =
      kernels_->elements(keys_, options_.size, values_.data(), units, elements_.data());
  return {elements_.data(), count};
}

std::vector<std::uint64_t> Shingler::sorted_set(std::string_view text) {
  std::string padded(text);
  padded.append(kTextPadding, '\0');
  const auto all = elements({padded.data(), text.size()});
  std::vector<std::uint64_t> set(all.begin(), all.end());
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

}  // namespace neardup
