#include "service/records/field_tree.h"

#include "fmt/format.h"
#include "pipeline/base/failure.h"

namespace neardup {
namespace {

[[noreturn]] void refuse(std::string_view pointer, std::string_view why) {
  throw Failure(Exit::kConfig,
                fmt::format("`{}` is not a JSON pointer: {}; write /field or /outer/field, "
                            "with ~1 for / and ~0 for ~ inside a name",
                            pointer, why));
}

std::string unescape_step(std::string_view step, std::string_view pointer) {
  std::string key;
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i] != '~') {
      key.push_back(step[i]);
      continue;
    }
    ++i;
    if (i == step.size() || (step[i] != '0' && step[i] != '1')) refuse(pointer, "~ without 0 or 1");
    key.push_back(step[i] == '0' ? '~' : '/');
  }
  return key;
}

}  // namespace

void add_field(FieldNode& root, std::string_view pointer, unsigned field) {
  if (pointer.empty() || pointer[0] != '/') refuse(pointer, "it does not begin with /");
  FieldNode* node = &root;
  for (std::string_view rest = pointer; !rest.empty();) {
    const std::size_t end = rest.find('/', 1);
    const std::string key =
        unescape_step(rest.substr(1, end == rest.npos ? end : end - 1), pointer);
    FieldNode* next = node->child(key);
    if (next == nullptr) next = &node->children.emplace_back(FieldNode{.key = key});
    node = next;
    rest = end == rest.npos ? std::string_view{} : rest.substr(end);
  }
  node->fields |= 1u << field;
}

}  // namespace neardup
