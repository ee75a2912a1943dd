// Items other than documents: records of strings, words, categories, numbers and vectors, and what
// a schema says about their fields (docs/search.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

enum class FieldKind : std::uint8_t { kString, kWords, kCategory, kNumber, kVector };
inline constexpr std::array<std::string_view, 5> kFieldKindNames{"string", "words", "category",
                                                                 "number", "vector"};
constexpr std::span<const std::string_view> names(FieldKind) { return kFieldKindNames; }

// Hash functions of vectors: E2LSH for the distances l1 and l2, random binning for the Laplacian
// kernel exp(−l1/width).
enum class VectorFamily : std::uint8_t { kL1, kL2, kLaplacian };
inline constexpr std::array<std::string_view, 3> kVectorFamilyNames{"l1", "l2", "laplacian"};
constexpr std::span<const std::string_view> names(VectorFamily) { return kVectorFamilyNames; }

inline constexpr std::uint32_t kMostScore = 255;  // counters have 8 bits
inline constexpr std::uint32_t kMostCharacters = 4096;
inline constexpr std::uint32_t kMostGram = 8;
inline constexpr std::uint32_t kMostFields = 15;
inline constexpr std::uint32_t kMostBuckets = 1 << 20;
inline constexpr std::uint32_t kMostDimensions = 4096;

struct FieldSpec {
  std::string name = {};
  FieldKind kind = FieldKind::kString;
  std::uint32_t weight = 1;  // of a match, in schemas of several fields
  std::uint32_t gram = 3;    // string: code points of an n-gram
  double min = 0;            // number: the least value, and the greatest
  double max = 0;
  double bucket = 1;  // number: width of a bucket
  VectorFamily family = VectorFamily::kL2;
  std::uint32_t dimensions = 0;
  std::uint32_t functions = 0;  // vector: hash functions; 0: as Eqn 9 of GENIE asks for
  double width = 0;             // vector: of a bucket, or of the kernel; 0: from the items
};

struct Schema {
  std::string id;  // the name of the field of ids; empty: none
  std::vector<FieldSpec> fields;
  bool ignore_unknown = false;  // fields of items that are not in the schema

  // Hits are ordered by their distance; else by their match-count.
  bool by_distance() const {
    return fields.size() == 1 &&
           (fields[0].kind == FieldKind::kString || fields[0].kind == FieldKind::kVector);
  }
};

// What an item or a query has in one field; which members matter depends on the kind.
struct FieldValue {
  bool given = false;
  std::string text = {};                // string, category: valid UTF-8
  std::vector<std::string> words = {};  // each once
  double from = 0;                      // number; of an item `from` alone
  double to = 0;
  std::vector<float> vector = {};
};

struct Item {
  std::string id;
  std::vector<FieldValue> values;  // by field of the schema
};

}  // namespace neardup
