// Our version and git revision, and the versions of the libraries.
#pragma once

#include <string>
#include <vector>

namespace neardup {

// Of the program, such as 1.2.3.
std::string program_version();

// The output of --version.
std::string version_text();

// Values of the labels of Metric::kBuildInfo.
std::vector<std::string> build_versions();

// The content of version_text as one JSON object.
std::string version_json();

}  // namespace neardup
