// `config reference`: docs/configuration.md, made from the table of keys.
#pragma once

#include <string>

namespace neardup {

std::string reference_markdown();

}  // namespace neardup
