#include "service/ingest/ingest_service.h"

#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "gpu/backends.h"
#include "pipeline/base/failure.h"
#include "pipeline/base/signals.h"
#include "pipeline/pipeline.h"
#include "pipeline/state_keys.h"
#include "service/file/file_delivery.h"
#include "service/ingest/body_record_decoder.h"
#include "service/ingest/check_service.h"
#include "service/ingest/http_delivery.h"
#include "service/ingest/http_source.h"
#include "service/log/gpu_log.h"
#include "service/log/notice_log.h"
#include "service/log/rate_log.h"
#include "service/pipeline_options.h"
#include "service/search/service_searches.h"
#include "service/state/state_order.h"
#include "storage/stores.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr milliseconds kMonitorStep{50};
constexpr std::uint64_t kQualityShare = 64;  // 1/64 of storage.memory for the quality check
constexpr double kLongWait = 10;             // seconds that a commit waits until not ready

}  // namespace

IngestService::IngestService(const ServiceContext& context, DocumentsPorts ports, std::string url)
    : config_(context.config),
      rule_(context.rule),
      log_(context.log),
      health_(context.health),
      control_(context.control),
      ports_(ports),
      url_(std::move(url)),
      stop_(context.stop),
      metrics_(context.registry, health_),
      watch_(kLongestCall, end_process(log_)) {}

void IngestService::run() {
  try {
    open_state();
    serve();
  } catch (...) {
    ports_.documents.fail();
    throw;
  }
}

void IngestService::open_state() {
  StorageOptions storage = config_.storage;
  storage.statistics = true;
  store_ = open_store(storage, OpenMode::kReadWrite);
  shown_store_ = metrics_.show_store(*store_, storage.memory, storage.path);
  require_same_rule(*store_, rule_);
  require_order_of_requests(*store_);
  opened_ = control_.state_opened(url_, *store_);
}

// The file of `output.file`, or null. Its name is stored before its first flag, so that a crash
// leaves no flags in a file that the state does not know.
std::unique_ptr<FlagsFile> IngestService::open_flags_file() {
  const auto stored = store_->meta(kOutputKey);
  const bool served = store_->meta(kMetaOrder).has_value();
  std::unique_ptr<FlagsFile> file;
  WriteSet writes;
  if (!config_.output.file.empty()) {
    file = std::make_unique<FlagsFile>(
        FlagsFileOptions{.path = config_.output.file,
                         .stored = stored,
                         .stored_batch = store_->meta(kOutputBatchKey),
                         .restored = store_->meta(kOutputRestoredKey).has_value(),
                         .batch = config_.batch.documents,
                         .half_read = served,
                         .durable = true,
                         .of_service = true});
    if (file->later().flags > 0) {
      log_.warning("flags after the restored backup were moved",
                   {{"flags", file->later().flags}, {"file", file->later().path}});
    }
    if (file->regular()) file->store(writes);
  } else if (stored && served) {
    for (const auto key : {kOutputKey, kOutputBatchKey, kOutputRestoredKey}) {
      writes.meta.emplace_back(key, "");
    }
  }
  if (!writes.meta.empty()) store_->commit(writes);
  return file;
}

void IngestService::serve() {
  const auto backend = make_backend(config_.backend_options(), rule_.plan);
  const std::string rule = rule_fingerprint(rule_text(rule_));
  HttpSource source(ports_.documents.queue(), ports_.documents.requests());
  const FlagWriter writer(rule, rule_.decision.threshold, body_sources());
  const auto file = open_flags_file();
  std::optional<FileDelivery> in_file;
  if (file) in_file.emplace(writer, *file, nullptr, true);
  HttpDelivery delivery(writer, ports_.documents.requests(), &control_.flags(),
                        in_file ? &*in_file : nullptr);
  QualityCheck quality(rule_, config_.cpu.simd, config_.storage.memory / kQualityShare);
  Pipeline pipeline(make_pipeline_options(config_, rule_), *backend, *store_, delivery);
  pipeline.report_to(metrics_.events());
  pipeline.watch_quality(quality);
  pipeline.tell_verdicts();
  const auto shown_quality = metrics_.show_quality(quality);
  const auto shown_backend = metrics_.show_backend(*backend, rule);
  watch_.waits_for(ServiceStage::kDecider, [this] { return store_->commit_wait().progress; });
  const Watchdog watchdog(watch_);
  NoticeLog notices(log_);
  const auto notice = [&](const NoticeCounts& counts) {
    metrics_.events().count_notices(counts);
    notices.show(counts);
  };
  const ServiceSearches searches(*store_, rule_, config_, control_, notice, log_);
  CheckService checks(config_, rule_, true, *store_, control_.reads(), ports_.checks, notice, log_);
  pipeline.answer_reads(control_.reads());
  RateLog rates(log_);
  GpuLog gpu(log_);
  const std::atomic<bool> never{false};  // the source ends by itself
  ports_.documents.open();
  metrics_.set_state(ServiceState::kServing);
  health_.set_ready();
  log_.info("serving", {{"backend", backend->description()}, {"rule", rule}});
  const std::jthread monitor([this](const std::stop_token& ended) { watch(ended); });
  pipeline.run(
      source,
      [this] {
        return std::make_unique<BodyRecordDecoder>(config_.input, config_.text, config_.output);
      },
      never,
      [&](const PipelineCounts& counts) {
        rates.show(counts);
        gpu.show(backend->report());
        notices.show(counts.notices);
      },
      &control_.tasks());
  rates.summary(pipeline.counts());
  gpu.summary(backend->report());
}

// Keeps the readiness up to date, and ends the source when the service is stopped.
void IngestService::watch(const std::stop_token& ended) {
  std::optional<steady_clock::time_point> deadline;
  bool waits = false;
  while (!ended.stop_requested()) {
    if (stop_ && !deadline) {
      health_.set_draining();
      metrics_.set_draining();
      log_.info("draining", {{"seconds", config_.shutdown.drain_seconds}});
      deadline = steady_clock::now() + seconds(config_.shutdown.drain_seconds);
      ports_.documents.close();
    }
    if (deadline && steady_clock::now() >= *deadline) {
      log_.error("not drained in time", {{"detail", "resend the documents without a flag"}});
      std::_Exit(stop_status());
    }
    if (const bool now = store_->commit_wait().seconds >= kLongWait; now != waits) {
      waits = now;
      waits ? health_.set_not_ready("the index is being merged, the input waits for it")
            : health_.set_ready();
    }
    std::this_thread::sleep_for(kMonitorStep);
  }
}

}  // namespace neardup
