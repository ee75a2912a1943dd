// Any bytes: repaired, normalised by every SIMD level, compared with ICU over the whole text;
// with the marks of Arabic and Hebrew, and without them.
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/cpu/simd_level.h"
#include "pipeline/base/utf8.h"
#include "pipeline/text/normalise.h"
#include "tests/unit/pipeline/text/reference_normaliser.h"

namespace {

constexpr std::size_t kNoLimit = std::size_t{1} << 30;

void require(bool holds) {
  if (!holds) std::abort();
}

std::vector<neardup::Normaliser> all_levels(neardup::TextFold fold) {
  using neardup::SimdLevel;
  std::vector<neardup::Normaliser> levels;
  for (SimdLevel level : {SimdLevel::kPortable, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (neardup::has_simd(level)) levels.emplace_back(level, fold);
  }
  return levels;
}

// Every level gives `wanted`, once and again, and refuses a smaller limit.
void check(std::vector<neardup::Normaliser>& levels, std::string_view raw,
           const neardup::test::ReferenceNormaliser::Text& wanted, std::size_t limit) {
  for (auto& level : levels) {
    std::string out;
    const auto text = level.normalise(raw, limit, out);
    require(!text.too_large && out.substr(0, text.bytes) == wanted.bytes &&
            text.tokens == wanted.tokens);
    // Exact verification normalises kept texts, some of which are normalised already.
    std::string again;
    const std::string_view once(out.data(), text.bytes);
    require(again.substr(0, level.normalise(once, once.size(), again).bytes) == once);
    require(wanted.bytes.empty() || level.normalise(raw, wanted.bytes.size() - 1, out).too_large);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const neardup::test::ReferenceNormaliser reference;
  static std::vector<neardup::Normaliser> levels = all_levels(neardup::TextFold::kNone);
  static std::vector<neardup::Normaliser> folding = all_levels(neardup::TextFold::kMarks);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::string raw;
  require((neardup::replace_invalid_utf8(bytes, raw) == 0) == neardup::valid_utf8(bytes));
  require(neardup::valid_utf8(raw));
  const auto wanted = reference.normalise(raw);
  check(levels, raw, wanted, wanted.bytes.size());
  // Marks that presentation forms bring count before they are removed.
  check(folding, raw, reference.normalise_without_marks(raw), kNoLimit);
  return 0;
}
