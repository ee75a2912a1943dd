#include "gpu/backend.h"

#include "gpu/cpu/cpu_backend.h"
#include "gpu/keys.h"
#include "pipeline/core/failure.h"

namespace neardup {

std::unique_ptr<Backend> make_backend(BackendName name, const CpuOptions& cpu,
                                      const SketchPlan& plan) {
  if (name == BackendName::kCuda) {
    throw Failure(Exit::kConfig, "backend: this build has no CUDA backend; use auto or cpu");
  }
  return make_cpu_backend(cpu, plan);
}

std::uint64_t hash_namespace(const Seed& seed, std::string_view name_space) {
  // The loads of the hash may read 16 bytes past the end.
  std::string padded(name_space);
  padded.append(16, '\0');
  return hd::hash_bytes(make_token_keys(seed), padded.data(), name_space.size());
}

}  // namespace neardup
