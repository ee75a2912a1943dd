// The changes by the decision about one record, for the processes that store documents.
#pragma once

#include "pipeline/model/types.h"

namespace neardup {

struct Effect {
  bool has_version = false;   // the record became the version of its id,
  bool has_document = false;  // with a document
  Seq ended = 0;              // the version that it replaced or deleted; 0: none
  Seq original = 0;           // of a duplicate, with the similarity to it
  Ppm similarity = 0;
  bool operator==(const Effect&) const = default;
};

}  // namespace neardup
