#include "service/ingest/check_service.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/cpu/cpu_backend.h"
#include "pipeline/base/failure.h"
#include "pipeline/prepare.h"
#include "service/http/message/problem.h"
#include "service/ingest/body_record_decoder.h"
#include "service/ingest/http_delivery.h"
#include "service/ingest/http_source.h"

namespace neardup {
namespace {

constexpr std::chrono::seconds kPatience{30};
constexpr std::uint64_t kBytesAtOnce = std::uint64_t{1} << 20;

CpuOptions one_thread(const Config& config) { return {.threads = 1, .simd = config.cpu.simd}; }

}  // namespace

CheckService::CheckService(const Config& config, const Rule& rule, bool verdicts, Store& store,
                           StateTasks& reads, DocumentsPort& port, NoticeSink notices, Log& log)
    : config_(config),
      rule_(rule),
      port_(port),
      notices_(std::move(notices)),
      log_(log),
      reads_(reads),
      checker_(rule, config.filter, one_thread(config), verdicts, store) {
  port_.open();  // before the thread begins, which ends when it is closed
  thread_ = std::thread([this] { run(); });
}

CheckService::~CheckService() {
  port_.close();
  thread_.join();
  port_.fail();
}

void CheckService::run() {
  const auto backend = make_cpu_backend(one_thread(config_), rule_.plan);
  Preparer preparer(
      rule_, config_.cpu.simd,
      std::make_unique<BodyRecordDecoder>(config_.input, config_.text, config_.output), *backend);
  HttpSource source(port_.queue(), port_.requests());
  HttpDelivery delivery(FlagWriter(rule_fingerprint(rule_text(rule_)), rule_.decision.threshold,
                                   body_sources(), FlagSeq::kLast),
                        port_.requests());
  RawChunk chunk;
  SketchedBatch batch;
  std::vector<Flag> flags;
  while (source.read(kChecksAtOnce, kBytesAtOnce, chunk)) {
    if (chunk.records.empty()) continue;
    try {
      preparer.prepare(chunk, batch);
      flags.clear();
      if (decide(batch, flags)) {
        NoticeCounts counts{};
        count_notices(batch.records, counts);
        notices_(counts);
        delivery.add(chunk, flags);
        delivery.end_batch();
        delivery.after_commit();
      } else {
        refuse(chunk, problem(503, "busy", "the service is not deciding: retry later"));
      }
    } catch (const Failure& failure) {
      log_.warning("checks failed", {{"reason", failure.what()}});
      refuse(chunk, problem(500, "failed", failure.what()));
    }
  }
}

// False: the owner of the store takes no work.
bool CheckService::decide(const SketchedBatch& batch, std::vector<Flag>& flags) {
  const auto work = [&](StateAccess&) { checker_.check(batch, flags); };
  return reads_.run(work, kPatience) == StateTasks::Outcome::kDone;
}

void CheckService::refuse(const RawChunk& chunk, const HttpAnswer& answer) {
  for (const RawRecord& record : chunk.records) {
    const std::uint32_t number = record.source.input;
    if (const auto request = port_.requests().find(number)) request->fail(answer);
    port_.requests().remove(number);
  }
}

}  // namespace neardup
