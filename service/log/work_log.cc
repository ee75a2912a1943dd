#include "service/log/work_log.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "pipeline/base/json_object.h"

namespace neardup {
namespace {

constexpr std::chrono::seconds kBetweenRates{10};

}  // namespace

void RateLog::show(const PipelineCounts& counts) {
  const Clock::time_point now = Clock::now();
  if (now - last_ < kBetweenRates) return;
  const double seconds = std::chrono::duration<double>(now - last_).count();
  const auto since = [&](Status status) { return counts.of(status) - shown_.of(status); };
  log_.info("rate", {{"documents_per_second",
                      static_cast<double>(counts.documents() - shown_.documents()) / seconds},
                     {"megabytes_per_second",
                      static_cast<double>(counts.input_bytes - shown_.input_bytes) / seconds / 1e6},
                     {"duplicates", since(Status::kExactDuplicate) + since(Status::kNearDuplicate)},
                     {"rejected", since(Status::kRejected)}});
  last_ = now;
  shown_ = counts;
}

void RateLog::summary(const PipelineCounts& counts) {
  log_.info("drained", {{"documents", counts.documents()},
                        {"unique", counts.of(Status::kUnique)},
                        {"exact_duplicates", counts.of(Status::kExactDuplicate)},
                        {"near_duplicates", counts.of(Status::kNearDuplicate)},
                        {"rejected", counts.of(Status::kRejected)}});
}

void GpuLog::show(const BackendReport& report) {
  if (report.device_active && !std::exchange(active_, true))
    log_.info("GPU started", {{"memory_bytes", report.device_bytes}});
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
                    {"documents_on_device", report.documents_on_device},
                    {"documents_shared", report.documents_shared},
                    {"failures", report.failures},
                    {"documents_on_cpu", report.documents_on_cpu}});
}

std::string gpu_report_text(const BackendReport& report) {
  if (!report.has_device()) return {};
  const BackendTimes& times = report.times;
  const std::uint64_t on_cpu = report.documents_shared + report.documents_on_cpu;
  const auto sketched = static_cast<double>(report.documents_on_device + on_cpu);
  std::string text = fmt::format(
      "GPU: sketched {:.1f} % of the documents, cores the rest; {:.3f} s copying to it, {:.3f} s "
      "computing, {:.3f} s copying back, in {} pieces\n",
      100 * static_cast<double>(report.documents_on_device) / std::max(sketched, 1.0),
      times.copy_in_seconds, times.kernel_seconds, times.copy_out_seconds, times.pieces);
  if (report.failures != 0) {
    text += fmt::format("GPU failures: {}, the last: {}; {} documents were done on the CPU\n",
                        report.failures, report.last_failure, report.documents_on_cpu);
  }
  return text;
}

std::string gpu_report_json(const BackendReport& report) {
  JsonObject object;
  object.number("pieces", report.times.pieces)
      .decimals("copy_in_seconds", report.times.copy_in_seconds, 6)
      .decimals("kernel_seconds", report.times.kernel_seconds, 6)
      .decimals("copy_out_seconds", report.times.copy_out_seconds, 6)
      .number("documents_on_device", report.documents_on_device)
      .number("documents_shared", report.documents_shared)
      .number("failures", report.failures)
      .number("documents_on_cpu", report.documents_on_cpu);
  if (report.failures != 0) object.text("last_failure", report.last_failure);
  return object.str();
}

}  // namespace neardup
