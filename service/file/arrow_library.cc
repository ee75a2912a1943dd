#include "service/file/arrow_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include "fmt/format.h"

namespace neardup {
namespace {

struct Loaded {
  const ArrowModule* module = nullptr;
  std::string problem = "this neardup was built without Arrow";
};

// Deep binding: libparquet must find its own copies of libraries that the program has, too, in
// another version. The module's first library is the program's allocator, so that both have one.
Loaded load(const std::string& path) {
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (handle == nullptr) return {nullptr, ::dlerror()};
  void* const symbol = ::dlsym(handle, kArrowModuleSymbol);
  if (symbol == nullptr) return {nullptr, path + " is not the module of neardup"};
  const ArrowModule* const module = reinterpret_cast<const ArrowModule* (*)()>(symbol)();
  if (module->version == kArrowModuleVersion) return {module, {}};
  return {nullptr, path + " belongs to another version of neardup"};
}

Loaded find() {
  std::error_code unknown;
  const std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
  for (const char* place : {"libneardup_arrow.so", "../lib/neardup/libneardup_arrow.so"}) {
    const std::filesystem::path path = folder / place;
    if (std::filesystem::exists(path, unknown)) return load(path.string());
  }
  return {};
}

const Loaded& loaded() {
  static const Loaded found = find();
  return found;
}

}  // namespace

const ArrowModule* arrow_module() { return loaded().module; }

std::string arrow_remedy() {
  return fmt::format(
      "{}. Install libarrow-dev and libparquet-dev where the distribution has them, or fetch Arrow "
      "with scripts/arrow, and build again with cmake -D NEARDUP_ARROW_ROOT=\"$(scripts/arrow)\"",
      loaded().problem);
}

}  // namespace neardup
