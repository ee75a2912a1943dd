// `neardup serve` without Kafka: documents come over HTTP, and so do their flags.
//
// Threads: the port's read bodies; one reads records from their queue, some prepare them; that of
// `serve` decides and commits; checks have a separate one.
// Durable: a document with all its consequences once its batch is committed, and only then is its
// request answered. With output.file its flags are in the file, synced, before the commit, which
// holds the length of the file.
// A crash loses documents whose requests are not answered: clients resend them, and committed ones
// are `unchanged`. The start truncates the file to its stored length.
// A stop closes the port, decides the documents that have arrived, and answers them.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "service/file/flags_file.h"
#include "service/ingest/documents_port.h"
#include "service/serve/service_runner.h"

namespace neardup {

class IngestService : public Role {
 public:
  // `url`: of the control requests, which is announced to commands. `runner` must outlive this.
  IngestService(ServiceRunner& runner, DocumentsPorts ports, std::string url)
      : runner_(runner), ports_(ports), url_(std::move(url)) {}

  void start() override;
  void serve() override;
  void stop() override { ports_.documents.close(); }
  std::optional<std::string> not_ready_reason() const override;
  std::string_view unfinished() const override { return "resend the documents without a flag"; }

 private:
  std::unique_ptr<FlagsFile> open_flags_file();
  void decide();

  ServiceRunner& runner_;
  const DocumentsPorts ports_;
  const std::string url_;
  std::atomic<bool> serving_{false};
};

}  // namespace neardup
