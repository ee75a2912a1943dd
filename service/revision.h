// The git revision of the sources that this program was built from.
#pragma once

#include <string_view>

namespace neardup {

// 40 hexadecimal digits, followed by "-dirty" if tracked files differed from that commit;
// "unknown" if neither git nor the archive of the sources has it (scripts/revision).
std::string_view source_revision();

}  // namespace neardup
