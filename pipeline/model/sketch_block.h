// Packed 1-bit sketches of consecutive seqs, as searches compare them.
#pragma once

#include <cstdint>

#include "pipeline/model/types.h"

namespace neardup {

// Stands for a namespace. Different namespaces may have the same tag; 0 is none.
using NamespaceTag = std::uint16_t;

// Not owned.
struct SketchBlock {
  Seq first = 0;
  std::uint32_t count = 0;
  std::uint32_t words_each = 0;          // 64-bit words of one sketch
  const std::uint64_t* words = nullptr;  // count × words_each, row-major
  // count; of the namespace of each document. 0: the seq has no live document with a sketch, and
  // its words mean nothing.
  const NamespaceTag* tags = nullptr;
};

}  // namespace neardup
