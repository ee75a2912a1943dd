// Our version and those of the libraries.
#pragma once

#include <string>

namespace neardup {

// What --version prints.
std::string version_text();

// The same as one JSON object.
std::string version_json();

}  // namespace neardup
