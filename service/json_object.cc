#include "service/json_object.h"

#include "pipeline/utf8.h"
#include "service/flag_writer.h"

namespace neardup {

JsonObject& JsonObject::text(std::string_view name, std::string_view value) {
  std::string valid;
  replace_invalid_utf8(value, valid);
  std::string quoted;
  append_json_string(valid, quoted);
  return json(name, quoted);
}

JsonObject& JsonObject::json(std::string_view name, std::string_view value) {
  body_ += fmt::format("{}\"{}\":{}", body_.size() > 1 ? "," : "", name, value);
  return *this;
}

}  // namespace neardup
