// Named places where tests inject a crash or an error. In the program a failpoint does nothing; the
// test program is linked with tests/kafka/failpoint.cc instead.
#pragma once

namespace neardup {

void failpoint(const char* place);

}  // namespace neardup
