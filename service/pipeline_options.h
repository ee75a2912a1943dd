// The options of the pipeline that a configuration asks for.
#pragma once

#include "config/config.h"
#include "pipeline/pipeline.h"
#include "pipeline/rule/rule.h"
#include "storage/memory_plan.h"

namespace neardup {

// `rule`: that of `config`.
inline PipelineOptions make_pipeline_options(const Config& config, const Rule& rule) {
  FilterOptions filter = config.filter;
  const MemoryPlan memory = plan_memory(config.storage.memory);
  filter.sketch_bytes = memory.sketches;
  filter.row_bytes = memory.rows;
  return {
      rule, filter, config.cpu, config.batch, config.storage.keep_texts, config.http.check_share};
}

}  // namespace neardup
