// The HTTP ports of `neardup serve` and what they answer.
#pragma once

#include <memory>
#include <string>

#include "metrics/registry.h"
#include "service/http/server.h"
#include "service/http/spool.h"
#include "service/ingest/documents_port.h"
#include "service/monitor/history.h"
#include "service/serve/service_context.h"

namespace neardup {

class ServicePorts {
 public:
  // Opens the ports. Throws Failure, as when an address is in use.
  explicit ServicePorts(const ServiceContext& context);

  DocumentsPorts documents() { return {documents_, checks_}; }
  // Of the API, as programs on this machine reach it.
  std::string local_url() const { return http_->local_url(); }
  // Of the control requests.
  std::string control_url() const { return (commands_ ? commands_ : http_)->local_url(); }

 private:
  HttpRoutes make_routes(const ServiceContext& context);
  void collect(Samples& samples) const;

  SpoolBudget spools_;  // of answers that wait for their clients
  DocumentsPort documents_;
  DocumentsPort checks_;
  History history_;
  std::unique_ptr<HttpServer> probes_;    // null: probes and metrics are at http_
  std::unique_ptr<HttpServer> http_;      // the API
  std::unique_ptr<HttpServer> commands_;  // null: control requests are at http_
  std::unique_ptr<MetricRegistry::Attachment> shown_;
};

}  // namespace neardup
