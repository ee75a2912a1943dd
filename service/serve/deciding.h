// A pipeline over the state of a process, with what is answered and logged next to it: searches,
// checks, metrics, log lines about rate, device and notices.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gpu/backend.h"
#include "pipeline/model/notice.h"
#include "pipeline/pipeline.h"
#include "pipeline/ports.h"
#include "pipeline/quality_check.h"
#include "service/ingest/check_service.h"
#include "service/ingest/documents_port.h"
#include "service/log/notice_log.h"
#include "service/log/work_log.h"
#include "service/monitor/service_metrics.h"
#include "service/search/service_searches.h"
#include "service/serve/service_runner.h"

namespace neardup {

class Deciding {
 public:
  // Answers searches and checks from now on. `verdicts`: flags `unchanged` have them. All
  // references must outlive this. Requires: the runner's state is open.
  Deciding(ServiceRunner& runner, Delivery& delivery, DocumentsPort& checks, bool verdicts);

  const std::string& rule() const { return rule_; }  // its fingerprint
  std::string backend() const { return backend_->description(); }

  // Decides the records of `source` to its end, in this thread. `progress` is called after each
  // chunk. Throws as Pipeline::run.
  void run(
      Source& source, const DecoderFactory& make_decoder,
      const std::function<void()>& progress = [] {});
  // Logs the totals.
  void summary();

 private:
  void notice(const NoticeCounts& counts);  // of searches and checks; any thread

  const ServiceContext& context_;
  ServiceMetrics& metrics_;
  const std::string rule_;
  const std::unique_ptr<Backend> backend_;
  QualityCheck quality_;
  Pipeline pipeline_;
  const ServiceMetrics::Shown shown_quality_;
  const ServiceMetrics::Shown shown_backend_;
  NoticeLog notices_;
  const ServiceSearches searches_;
  CheckService checks_;
  RateLog rates_;
  GpuLog gpu_;
};

}  // namespace neardup
