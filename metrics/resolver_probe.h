// The events of a resolver.
#pragma once

#include <cstdint>

#include "metrics/labels.h"
#include "metrics/pipeline_probe.h"

namespace neardup {

class ResolverProbe {
 public:
  virtual ~ResolverProbe() = default;
  // All are called by the deciding thread.
  virtual void answer_read(AnswerUse use) = 0;
  virtual void answers_asked_for_again(AgainReason reason) = 0;
  // A batch is decided: what of the report its flags give.
  virtual void batch_resolved(const StoredBatchReport& batch) = 0;
  // `window`: records that were decided and that answers need not know. `epoch`: of the placement.
  virtual void resolver_stands(std::uint64_t window, std::uint64_t epoch) = 0;
};

}  // namespace neardup
