// Answers POST /v1/check: one thread prepares the documents, and the thread that owns the state
// decides them between two chunks, a few at a time.
#pragma once

#include <string>
#include <thread>

#include "config/config.h"
#include "pipeline/checker.h"
#include "pipeline/model/notice.h"
#include "pipeline/state_tasks.h"
#include "service/ingest/documents_port.h"
#include "service/log/log.h"

namespace neardup {

class CheckService {
 public:
  // `verdicts`: flags `unchanged` have them, as those of the service do. `reads`: what the owner of
  // the store runs between two chunks. `notices` takes those of records that were decided. The
  // references must outlive this. Requires: the caller owns the store.
  CheckService(const Config& config, const Rule& rule, bool verdicts, Store& store,
               StateTasks& reads, DocumentsPort& port, NoticeSink notices, Log& log);
  // Answers the open requests.
  ~CheckService();
  CheckService(const CheckService&) = delete;
  CheckService& operator=(const CheckService&) = delete;

 private:
  void run();
  bool decide(const SketchedBatch& batch, std::vector<Flag>& flags);
  void refuse(const RawChunk& chunk, const HttpAnswer& answer);

  const Config& config_;
  const Rule& rule_;
  DocumentsPort& port_;
  const NoticeSink notices_;
  Log& log_;
  StateTasks& reads_;
  const Checker checker_;
  std::thread thread_;
};

}  // namespace neardup
