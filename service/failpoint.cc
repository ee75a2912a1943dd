#include "service/failpoint.h"

namespace neardup {

void failpoint(const char*) {}

}  // namespace neardup
