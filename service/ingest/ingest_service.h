// `neardup serve` without Kafka: documents come over HTTP, and so do their flags.
#pragma once

#include <atomic>
#include <memory>
#include <stop_token>
#include <string>

#include "config/config.h"
#include "pipeline/rule/rule.h"
#include "service/control/control.h"
#include "service/file/flags_file.h"
#include "service/http/health.h"
#include "service/ingest/documents_port.h"
#include "service/log/log.h"
#include "service/monitor/service_metrics.h"
#include "service/monitor/watchdog.h"
#include "service/serve/service_context.h"
#include "storage/store.h"

namespace neardup {

class IngestService {
 public:
  // `url`: of the control requests, which is announced to commands.
  IngestService(const ServiceContext& context, DocumentsPorts ports, std::string url);

  // Runs until it is stopped. Throws Failure.
  void run();

 private:
  void open_state();
  std::unique_ptr<FlagsFile> open_flags_file();
  void serve();
  void watch(const std::stop_token& ended);

  const Config& config_;
  const Rule& rule_;
  Log& log_;
  Health& health_;
  Control& control_;
  const DocumentsPorts ports_;
  const std::string url_;
  const std::atomic<bool>& stop_;
  ServiceMetrics metrics_;
  StageWatch watch_;
  std::unique_ptr<Store> store_;
  ServiceMetrics::Shown shown_store_;
  // Destroyed before the store unlocks the state: it must not remove the file of another process.
  std::unique_ptr<Control::OpenState> opened_;
};

}  // namespace neardup
