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
  // Field i stands at pointers[i]. Throws Failure(kConfig) when one is not a JSON pointer.
  explicit JsonFields(std::span<const std::string> pointers);
  ~JsonFields();

  // Looks through one object. Bytes up to kTextPadding after its end are read and not used. After
  // an error `token` still gives what was found before it.
  FieldsError find(std::string_view json);

  // Field `i` as it is in the JSON: a string with its quotes, another scalar, or "{" or "[" for
  // a container. Empty: not there. Valid until the next `find`, as long as the bytes given to it.
  std::string_view token(std::size_t i) const;

  // The key that stands twice on the way to a field, or nothing. The fields under it have no token.
  const std::string* duplicate() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup
