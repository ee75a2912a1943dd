// What each process of `serve` gets, regardless of its role.
#pragma once

#include <atomic>

#include "config/config.h"
#include "metrics/registry.h"
#include "pipeline/rule/rule.h"
#include "service/control/control.h"
#include "service/http/health.h"
#include "service/log/log.h"

namespace neardup {

struct ServeSwitches {
  bool create_topics = false;
  bool skip_gap = false;
  bool trust_state = false;
  bool change_layout = false;
};

// All of it outlives the process's ports and its work.
struct ServiceContext {
  const Config& config;
  const Rule& rule;
  const ServeSwitches& switches;
  Log& log;
  Health& health;
  Control& control;  // of the state; a role that keeps none leaves it alone
  MetricRegistry& registry;
  const std::atomic<bool>& stop;  // once true, the process drains and ends
};

constexpr bool keeps_state(ClusterRole role) {
  return role != ClusterRole::kSketcher && role != ClusterRole::kResolver;
}

}  // namespace neardup
