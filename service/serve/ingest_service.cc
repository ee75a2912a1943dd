#include "service/serve/ingest_service.h"

#include <optional>
#include <utility>

#include "pipeline/state_keys.h"
#include "service/file/file_delivery.h"
#include "service/ingest/body_record_decoder.h"
#include "service/ingest/http_delivery.h"
#include "service/ingest/http_source.h"
#include "service/serve/deciding.h"
#include "service/state/state_order.h"

namespace neardup {

void IngestService::start() {
  require_order_of_requests(runner_.open_state());
  runner_.announce_state(url_);
}

void IngestService::serve() {
  try {
    decide();
  } catch (...) {
    ports_.documents.fail();
    throw;
  }
}

// The file of `output.file`, or null. Its name is stored before its first flag, so that a crash
// leaves no flags in a file that the state does not know.
std::unique_ptr<FlagsFile> IngestService::open_flags_file() {
  const Config& config = runner_.context().config;
  Store& store = runner_.store();
  const auto stored = store.meta(kOutputKey);
  const bool served = store.meta(kMetaOrder).has_value();
  std::unique_ptr<FlagsFile> file;
  WriteSet writes;
  if (!config.output.file.empty()) {
    file = std::make_unique<FlagsFile>(
        FlagsFileOptions{.path = config.output.file,
                         .stored = stored,
                         .stored_batch = store.meta(kOutputBatchKey),
                         .restored = store.meta(kOutputRestoredKey).has_value(),
                         .batch = config.batch.documents,
                         .half_read = served,
                         .durable = true,
                         .of_service = true});
    if (file->later().flags > 0) {
      runner_.context().log.warning("flags after the restored backup were moved",
                                    {{"flags", file->later().flags}, {"file", file->later().path}});
    }
    if (file->regular()) file->store(writes);
  } else if (stored && served) {
    for (const auto key : {kOutputKey, kOutputBatchKey, kOutputRestoredKey}) {
      writes.meta.emplace_back(key, "");
    }
  }
  if (!writes.meta.empty()) store.commit(writes);
  return file;
}

void IngestService::decide() {
  const ServiceContext& context = runner_.context();
  const Config& config = context.config;
  HttpSource source(ports_.documents.queue(), ports_.documents.requests());
  const FlagWriter writer(rule_fingerprint(rule_text(context.rule)),
                          context.rule.decision.threshold, body_sources());
  const auto file = open_flags_file();
  std::optional<FileDelivery> in_file;
  if (file) in_file.emplace(writer, *file, nullptr, true);
  HttpDelivery delivery(writer, ports_.documents.requests(), &context.control.flags(),
                        in_file ? &*in_file : nullptr);
  Deciding deciding(runner_, delivery, ports_.checks, true);
  ports_.documents.open();
  if (runner_.ends()) stop();  // the stop may have come before there was a port to close
  runner_.metrics().set_state(ServiceState::kServing);
  serving_ = true;
  context.log.info("serving", {{"backend", deciding.backend()}, {"rule", deciding.rule()}});
  deciding.run(source, [&] {
    return std::make_unique<BodyRecordDecoder>(config.input, config.text, config.output);
  });
  deciding.summary();
}

std::optional<std::string> IngestService::not_ready_reason() const {
  if (!serving_) return {};
  return runner_.index_wait_reason();
}

}  // namespace neardup
