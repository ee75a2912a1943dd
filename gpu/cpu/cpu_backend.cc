#include "gpu/cpu/cpu_backend.h"

#include "gpu/cpu/shingler.h"
#include "gpu/cpu/simd_level.h"
#include "gpu/cpu/sketcher.h"
#include "gpu/options.h"

namespace neardup {
namespace {

class CpuBackend : public Backend {
 public:
  CpuBackend(const CpuOptions& options, const SketchPlan& plan, std::string_view note)
      : plan_(plan),
        note_(note),
        simd_(resolve_simd(options.simd)),
        keys_(std::make_shared<const SketchKeys>(make_sketch_keys(plan))) {}

  void sketch(const TextBatch& texts, std::span<const SketchTask> tasks,
              SketchRows& rows) override {
    Shingler shingler(plan_.shingle, plan_.sketch.seed, simd_);
    Sketcher sketcher(plan_, keys_, simd_);
    for (const SketchTask& task : tasks) {
      const std::size_t i = task.text;
      sketcher.sketch(
          shingler.elements(texts.text(i)), task.namespace_hash,
          {rows.sketch(i), rows.one_bit(i), rows.buckets(i), rows.distinct_shingles.data() + i});
    }
  }

  std::string description() const override {
    return "cpu (" + std::string(neardup::name(simd_)) + note_ + ")";
  }

 private:
  SketchPlan plan_;
  std::string note_;
  SimdLevel simd_;
  std::shared_ptr<const SketchKeys> keys_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(const CpuOptions& options, const SketchPlan& plan,
                                          std::string_view note) {
  return std::make_unique<CpuBackend>(options, plan, note);
}

}  // namespace neardup
