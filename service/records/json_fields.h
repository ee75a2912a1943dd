// Finds some fields of a JSON object in one pass.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace neardup {

enum class FieldsError : std::uint8_t {
  kNone,
  kUtf8,       // ill-formed UTF-8 anywhere
  kStructure,  // brackets, quotes, commas, colons or raw control characters
  kNotObject,
  kTrailing,  // something follows after the object
};

class JsonFields {
 public:
  // Field i is at pointers[i]. Throws Failure(kConfig) when one is not a JSON pointer.
  explicit JsonFields(std::span<const std::string> pointers);
  ~JsonFields();
  JsonFields(JsonFields&& other) noexcept;
  JsonFields& operator=(JsonFields&& other) noexcept;

  // Parses one object. Requires: kTextPadding bytes after its end can be read. After an error
  // `token` still returns the fields that were found before it.
  FieldsError find(std::string_view json);

  // Field `i` as it is in the JSON: a string with its quotes, another scalar, or "{" or "[" for
  // a container. Empty: missing. Valid until the next `find`, and while the bytes passed to it are.
  std::string_view token(std::size_t i) const;

  // The key that occurs twice on the path to a field, or null. The fields below it have no token.
  const std::string* duplicate() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup
