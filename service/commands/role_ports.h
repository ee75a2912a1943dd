// The HTTP ports of a process of a cluster that decides nothing: probes, metrics, and what it is.
#pragma once

#include <memory>

#include "config/config.h"
#include "metrics/registry.h"
#include "pipeline/rule/rule.h"
#include "service/http/health.h"
#include "service/http/server.h"
#include "service/log/log.h"

namespace neardup {

class RolePorts {
 public:
  // Opens the ports. All references must outlive this. Throws Failure, as when an address is in
  // use.
  RolePorts(const Config& config, const Rule& rule, Log& log, Health& health,
            MetricRegistry& registry);

 private:
  void collect(Samples& samples) const;

  std::unique_ptr<HttpServer> probes_;  // null: probes and metrics are at http_
  std::unique_ptr<HttpServer> http_;
  std::unique_ptr<MetricRegistry::Attachment> shown_;
};

}  // namespace neardup
