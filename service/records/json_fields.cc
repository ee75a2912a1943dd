#include "service/records/json_fields.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "pipeline/base/utf8.h"
#include "pipeline/model/text_batch.h"
#include "service/records/json_scan.h"
#include "service/records/json_unescape.h"
#include "simdjson.h"

namespace neardup {

// JSON pointers (RFC 6901) to the fields that are read, as one tree, to find all in one pass.
struct FieldNode {
  std::string key;           // of an object, or the index in an array as decimal digits
  std::uint32_t fields = 0;  // a bit for each field that ends here
  std::uint64_t seen = 0;    // number of the record in which this node was met last
  std::vector<FieldNode> children = {};

  FieldNode* child(std::string_view name) {
    for (FieldNode& node : children) {
      if (node.key == name) return &node;
    }
    return nullptr;
  }
};

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

// Adds field number `field` at `pointer`. Throws Failure(kConfig) when it is not a JSON pointer.
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

namespace ondemand = simdjson::ondemand;
static_assert(kTextPadding >= simdjson::SIMDJSON_PADDING);

std::string_view trim_end(std::string_view token) {
  const std::size_t last = token.find_last_not_of(" \t\r\n");
  return last == token.npos ? std::string_view{} : token.substr(0, last + 1);
}

// The bytes of a key as written, without quotes. The parser has checked that the string ends.
std::string_view written_key(const char* begin) {
  const char* end = begin;
  while (*end != '"') end += *end == '\\' ? 2 : 1;
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

struct JsonFields::Impl {
  ondemand::parser parser;
  FieldNode root;
  std::uint64_t record = 0;
  std::vector<std::string_view> tokens;
  std::string unescaped;  // a key
  std::string broken;     // a copy of a record that is not well-formed
  const FieldNode* twice = nullptr;
  const char* end = nullptr;  // of the record

  FieldsError attempt(std::string_view json);
  FieldsError walk(ondemand::document& document);
  bool walk_object(FieldNode& node, ondemand::object object);
  bool walk_array(FieldNode& node, ondemand::array array);
  bool walk_value(FieldNode* node, ondemand::value value);
  bool walk_container(FieldNode* node, ondemand::value value, char kind);
  FieldNode* child(FieldNode& node, std::string_view written);
  void take(FieldNode& node, std::string_view token);
  void forget(const FieldNode& node);
};

// An escaped key names the same field. A key that cannot be unescaped names none.
FieldNode* JsonFields::Impl::child(FieldNode& node, std::string_view written) {
  if (written.find('\\') == written.npos) return node.child(written);
  std::string_view key;
  return unescape(written, unescaped, key) ? node.child(key) : nullptr;
}

void JsonFields::Impl::take(FieldNode& node, std::string_view token) {
  if (node.seen == record) {
    twice = &node;
    return;
  }
  node.seen = record;
  for (std::uint32_t left = node.fields; left != 0; left &= left - 1) {
    tokens[static_cast<std::size_t>(std::countr_zero(left))] = token;
  }
}

void JsonFields::Impl::forget(const FieldNode& node) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (node.fields & (1u << i)) tokens[i] = {};
  }
  for (const FieldNode& below : node.children) forget(below);
}

bool JsonFields::Impl::walk_value(FieldNode* node, ondemand::value value) {
  const std::string_view written = value.raw_json_token();
  if (written.data() >= end) return false;  // the parser went on into the bytes after the record
  const std::string_view token = trim_end(written);
  if (token.empty() || std::string_view(",:]}").find(token[0]) != std::string_view::npos)
    return false;
  const char first = token[0];
  if (node != nullptr) take(*node, token);
  // An unread string before a colon would be skipped as if it were a key.
  if (first == '"')
    return token.size() > 1 && token.back() == '"' && !value.get_raw_json_string().error();
  return (first != '{' && first != '[') || walk_container(node, value, first);
}

bool JsonFields::Impl::walk_container(FieldNode* node, ondemand::value value, char kind) {
  ondemand::object object;
  ondemand::array array;
  const auto error = kind == '{' ? value.get_object().get(object) : value.get_array().get(array);
  if (error) return false;
  if (node != nullptr && !node->children.empty() && node != twice) {
    return kind == '{' ? walk_object(*node, object) : walk_array(*node, array);
  }
  std::string_view skipped;
  const auto skip_error =
      kind == '{' ? object.raw_json().get(skipped) : array.raw_json().get(skipped);
  return !skip_error && brackets_match(skipped);
}

bool JsonFields::Impl::walk_object(FieldNode& node, ondemand::object object) {
  for (auto item : object) {
    ondemand::field field;
    if (std::move(item).get(field)) return false;
    FieldNode* next = child(node, written_key(field.key().raw()));
    if (!walk_value(next, field.value())) return false;
  }
  return true;
}

bool JsonFields::Impl::walk_array(FieldNode& node, ondemand::array array) {
  std::size_t index = 0;
  for (auto item : array) {
    ondemand::value value;
    // NOLINTNEXTLINE(performance-move-const-arg): get() takes rvalues only
    if (std::move(item).get(value)) return false;
    char digits[20];
    const auto last = std::to_chars(digits, digits + sizeof digits, index++).ptr;
    FieldNode* next = node.child({digits, static_cast<std::size_t>(last - digits)});
    if (!walk_value(next, value)) return false;
  }
  return true;
}

FieldsError JsonFields::Impl::walk(ondemand::document& document) {
  ondemand::object object;
  const auto error = document.get_object().get(object);
  if (error == simdjson::INCORRECT_TYPE) return FieldsError::kNotObject;
  if (error || !walk_object(root, object)) return FieldsError::kStructure;
  const bool at_end = document.current_location().error() == simdjson::OUT_OF_BOUNDS;
  return at_end ? FieldsError::kNone : FieldsError::kTrailing;
}

JsonFields::JsonFields(std::span<const std::string> pointers) : impl_(std::make_unique<Impl>()) {
  impl_->tokens.resize(pointers.size());
  for (unsigned i = 0; i < pointers.size(); ++i) add_field(impl_->root, pointers[i], i);
}

JsonFields::~JsonFields() = default;
JsonFields::JsonFields(JsonFields&& other) noexcept = default;
JsonFields& JsonFields::operator=(JsonFields&& other) noexcept = default;

FieldsError JsonFields::Impl::attempt(std::string_view json) {
  ++record;
  twice = nullptr;
  end = json.data() + json.size();
  std::fill(tokens.begin(), tokens.end(), std::string_view{});
  ondemand::document document;
  const simdjson::padded_string_view padded(json, json.size() + kTextPadding);
  const auto error = parser.iterate(padded).get(document);
  // Which of several errors simdjson reports depends on the machine. Here UTF-8 always comes first.
  if (error) return valid_utf8(json) ? FieldsError::kStructure : FieldsError::kUtf8;
  const FieldsError result = walk(document);
  if (twice != nullptr) forget(*twice);
  return result;
}

FieldsError JsonFields::find(std::string_view json) {
  const FieldsError error = impl_->attempt(json);
  if (error == FieldsError::kNone || error == FieldsError::kUtf8) return error;
  // How far a broken record is parsed may depend on the bytes after it: parses it again with zeros
  // after it.
  impl_->broken.assign(json).append(kTextPadding, '\0');
  return impl_->attempt(std::string_view(impl_->broken).substr(0, json.size()));
}

std::string_view JsonFields::token(std::size_t i) const { return impl_->tokens[i]; }

const std::string* JsonFields::duplicate() const {
  return impl_->twice == nullptr ? nullptr : &impl_->twice->key;
}

}  // namespace neardup
