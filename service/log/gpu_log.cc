#include "service/log/gpu_log.h"

namespace neardup {

void GpuLog::show(const BackendReport& report) {
  if (report.has_failed() == failed_) return;
  failed_ = report.has_failed();
  log_.warning(failed_ ? "GPU failed" : "GPU works again",
               {{"reason", report.last_failure},
                {"failures", report.failures},
                {"documents_on_cpu", report.documents_on_cpu}});
}

void GpuLog::summary(const BackendReport& report) {
  if (!report.has_device()) return;
  log_.info("GPU", {{"copy_in_seconds", report.times.copy_in_seconds},
                    {"kernel_seconds", report.times.kernel_seconds},
                    {"copy_out_seconds", report.times.copy_out_seconds},
                    {"pieces", report.times.pieces},
                    {"failures", report.failures},
                    {"documents_on_cpu", report.documents_on_cpu}});
}

}  // namespace neardup
