// The HTTP ports of the processes of `serve`, and what they answer.
#pragma once

#include <memory>
#include <string>

#include "metrics/registry.h"
#include "service/http/guard.h"
#include "service/http/route.h"
#include "service/http/server.h"
#include "service/http/spool.h"
#include "service/ingest/documents_port.h"
#include "service/monitor/history.h"
#include "service/serve/service_context.h"

namespace neardup {

// The ports of a process: its API, with probes, metrics and facts about itself; and separate ports
// for probes and for commands, where the configuration has them.
class HttpListeners {
 public:
  // Opens the ports. The API answers `routes`, and `others` where no other route is meant. What the
  // routes use must outlive this. Throws Failure, as when an address is in use.
  HttpListeners(const ServiceContext& context, const HttpGuard& guard, const HttpRoutes& routes,
                const HttpRoutes& others = {});
  HttpListeners(const HttpListeners&) = delete;
  HttpListeners& operator=(const HttpListeners&) = delete;

  // Of the API, as programs on this machine reach it.
  std::string local_url() const { return http_->local_url(); }
  // Of the control requests.
  std::string control_url() const { return (commands_ ? commands_ : http_)->local_url(); }

 private:
  void collect(Samples& samples) const;

  std::unique_ptr<HttpServer> probes_;    // null: probes and metrics are at http_
  std::unique_ptr<HttpServer> http_;      // the API
  std::unique_ptr<HttpServer> commands_;  // null: control requests are at http_, if anywhere
  std::unique_ptr<MetricRegistry::Attachment> shown_;
};

// Of a process of a cluster that decides nothing with its own index: what it is, and what a shard
// can answer of its part. Throws as HttpListeners.
HttpListeners role_ports(const ServiceContext& context);

// The API of a process that decides.
class ServiceApi {
 public:
  // Opens the ports. Throws as HttpListeners.
  explicit ServiceApi(const ServiceContext& context);

  DocumentsPorts documents() { return {documents_, checks_}; }
  // As those of HttpListeners.
  std::string local_url() const { return listeners_.local_url(); }
  std::string control_url() const { return listeners_.control_url(); }

 private:
  HttpRoutes make_routes(const ServiceContext& context);

  SpoolBudget spools_;  // of answers that wait for their clients
  DocumentsPort documents_;
  DocumentsPort checks_;
  History history_;
  const HttpListeners listeners_;
  const std::unique_ptr<MetricRegistry::Attachment> shown_spools_;
};

}  // namespace neardup
