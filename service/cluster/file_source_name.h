// The name of a file in the log: a source with a name that no topic has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

// "file:<name>#<content>": the last part of `path`, with what the log does not take as %XX, and the
// hash of the content in 16 hex digits. So a file is the same source wherever it lies, and another
// one as soon as a byte of it differs. Of a very long name the end is taken.
std::string file_source_name(std::string_view path, std::uint64_t content);

bool is_file_source(std::string_view source);

}  // namespace neardup
