// Joins chunks of the log, so that their records are looked up together.
#pragma once

#include <cstdint>

#include "pipeline/model/sketched_batch.h"

namespace neardup {

// Appends all records of `from`, of the same rule. Requires: neither has raw texts.
void append(SketchedBatch&& from, SketchedBatch& to);

}  // namespace neardup
