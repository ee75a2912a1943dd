// The HTTP ports of a process of a cluster that decides nothing with its own index: probes,
// metrics, what it is, and what else it can answer.
#pragma once

#include <memory>
#include <string>

#include "metrics/registry.h"
#include "service/http/server.h"
#include "service/serve/service_context.h"

namespace neardup {

class RolePorts {
 public:
  // Opens the ports. Throws Failure, as when an address is in use.
  explicit RolePorts(const ServiceContext& context);

  // Of the control requests.
  std::string control_url() const { return (commands_ ? commands_ : http_)->local_url(); }

 private:
  void collect(Samples& samples) const;

  std::unique_ptr<HttpServer> probes_;  // null: probes and metrics are at http_
  std::unique_ptr<HttpServer> http_;
  std::unique_ptr<HttpServer> commands_;  // null: control requests are at http_, if anywhere
  std::unique_ptr<MetricRegistry::Attachment> shown_;
};

}  // namespace neardup
