#include "service/arrow/module.h"

#include <arrow/util/config.h>

#include "service/arrow/module_parts.h"

namespace {

constexpr neardup::ArrowModule kModule{.version = neardup::kArrowModuleVersion,
                                       .arrow_version = ARROW_VERSION_STRING,
                                       .open_rows = neardup::open_rows,
                                       .create_flags = neardup::create_flags,
                                       .open_split = neardup::open_split,
                                       .create_mask = neardup::create_mask,
                                       .open_object = neardup::open_object,
                                       .kind_of = neardup::kind_of,
                                       .list_objects = neardup::list_objects};

}  // namespace

// The one symbol of the module.
extern "C" [[gnu::visibility("default")]] const neardup::ArrowModule* neardup_arrow_module() {
  return &kModule;
}
