#include "service/serve/deciding.h"

#include <atomic>
#include <cstdint>

#include "gpu/backends.h"
#include "service/pipeline_options.h"

namespace neardup {
namespace {

constexpr std::uint64_t kQualityShare = 64;  // 1/64 of storage.memory for the quality check

}  // namespace

Deciding::Deciding(ServiceRunner& runner, Delivery& delivery, DocumentsPort& checks, bool verdicts)
    : context_(runner.context()),
      metrics_(runner.metrics()),
      rule_(rule_fingerprint(rule_text(context_.rule))),
      backend_(make_backend(context_.config.backend_options(), context_.rule.plan)),
      quality_(context_.rule, context_.config.cpu.simd,
               context_.config.storage.memory / kQualityShare),
      pipeline_(make_pipeline_options(context_.config, context_.rule), *backend_, runner.store(),
                delivery),
      shown_quality_(metrics_.show_quality(quality_)),
      shown_backend_(metrics_.show_backend(*backend_, rule_)),
      notices_(context_.log),
      searches_(
          runner.store(), context_.rule, context_.config, context_.control,
          [this](const NoticeCounts& counts) { notice(counts); }, context_.log),
      checks_(
          context_.config, context_.rule, verdicts, runner.store(), context_.control.reads(),
          checks, [this](const NoticeCounts& counts) { notice(counts); }, context_.log),
      rates_(context_.log),
      gpu_(context_.log) {
  pipeline_.report_to(metrics_.events());
  pipeline_.watch_quality(quality_);
  if (verdicts) pipeline_.tell_verdicts();
  pipeline_.answer_reads(context_.control.reads());
}

void Deciding::run(Source& source, const DecoderFactory& make_decoder,
                   const std::function<void()>& progress) {
  const std::atomic<bool> never{false};  // the source ends by itself
  pipeline_.run(
      source, make_decoder, never,
      [&](const PipelineCounts& counts) {
        progress();
        rates_.show(counts);
        gpu_.show(backend_->report());
        notices_.show(counts.notices);
      },
      &context_.control.tasks());
}

void Deciding::summary() {
  rates_.summary(pipeline_.counts());
  gpu_.summary(backend_->report());
}

void Deciding::notice(const NoticeCounts& counts) {
  metrics_.events().count_notices(counts);
  notices_.show(counts);
}

}  // namespace neardup
