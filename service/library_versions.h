// What --version prints.
#pragma once

#include <string>

namespace neardup {

std::string version_text();

}  // namespace neardup
