// Files → the log of a cluster: each file is a separate source, whose offsets are its lines.
//
// How far a file is in the log, the log itself says. So a file that was appended in part is taken
// up behind its last record, and what two processes append of the same file counts once.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gpu/backend.h"
#include "metrics/sketcher_probe.h"
#include "pipeline/model/notice.h"
#include "pipeline/rule/rule.h"
#include "service/file/file_source.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/cluster/command/cluster_client.h"
#include "service/kafka/cluster/decisions_follower.h"
#include "service/kafka/cluster/log/log_appender.h"
#include "service/kafka/message/positions.h"

namespace neardup {

// The records acknowledged by the log so far.
struct AppendedFiles {
  std::array<std::uint64_t, kRecordKindNames.size()> records{};  // by kind
  NoticeCounts notices{};
  std::uint64_t seen = 0;               // records that were in the log before
  std::uint64_t read_bytes = 0;         // of the files, as stored
  std::vector<std::string> notes = {};  // of the files, a sentence each
  std::uint64_t of(RecordKind kind) const { return records[static_cast<std::size_t>(kind)]; }
};

class FileAppender : private SketcherProbe {
 public:
  using Progress = std::function<void(const AppendedFiles&)>;

  // Waits for brokers, checks the topics of the cluster, and reads what is not decided of the log.
  // `stop` is that of `client`. The references must outlive this. Throws as read_cluster_head,
  // check_cluster and scan_log do.
  FileAppender(ClusterClient& client, const Rule& rule, Backend& backend,
               const std::atomic<bool>& stop, Progress progress);

  // Appends the records of the file that are not in the log. Returns when the log has acknowledged
  // them. Throws Failure(kUnreadable) when the file cannot be read, behind the records before that
  // place; Failure(kUsage) for what is no file, and when the cluster has too many sources;
  // Failure(kUnavailable) or Failure(kConfig) when the log does not take the records; and Stopped.
  void append(const std::string& path);

  const AppendedFiles& appended() const { return appended_; }

 private:
  Position& position_of(const TopicPartition& source);
  void require_room(const TopicPartition& source);
  bool sketch(const std::string& path, Position& position);
  bool sketch(Source& records, const FileSource& file, Position& position);
  void show(const FileSource& file);
  bool ends();

  void batch_appended(const AppendedBatchReport& batch) override;
  void source_restarted() override {}
  void append_failed() override {}
  void paused(double) override {}

  ClusterClient& client_;
  const Config& config_;
  const Rule& rule_;
  Backend& backend_;
  const std::atomic<bool>& stop_;
  const Progress progress_;
  const ClusterHead head_;
  LogAppender appender_;
  DecisionsFollower decisions_;
  LogFill fill_;
  Positions positions_;  // of the sources of the log, as far as it was read, and of these files
  AppendedFiles appended_;
  std::uint64_t finished_bytes_ = 0;  // of earlier files
};

}  // namespace neardup
