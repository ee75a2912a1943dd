// Named places where a crash is of interest. In the program this does nothing; the test program is
// linked with another version, which ends the process there, or fails (tests/kafka/failpoint.cc).
#pragma once

namespace neardup {

void failpoint(const char* place);

}  // namespace neardup
