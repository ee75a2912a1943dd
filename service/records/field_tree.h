// JSON pointers (RFC 6901) to the fields that are read, as one tree, to find all in one pass.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

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

// Adds field number `field` at `pointer`. Throws Failure(kConfig) when it is not a JSON pointer.
void add_field(FieldNode& root, std::string_view pointer, unsigned field);

}  // namespace neardup
