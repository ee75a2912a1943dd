#include "service/kafka/cluster/command/file_appender.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "pipeline/base/failure.h"
#include "service/cluster/file_source_name.h"
#include "service/file/content_hash.h"
#include "service/file/file_source.h"
#include "service/file/raw_input.h"
#include "service/kafka/client/client_conf.h"
#include "service/kafka/cluster/cluster_checks.h"
#include "service/kafka/cluster/log/log_reader.h"
#include "service/kafka/cluster/sketcher/sketching.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/start/start_rules.h"
#include "service/records/record_decoder.h"

namespace neardup {
namespace {

// Of the log behind what is decided. It only saves work: what is appended a second time is passed
// over. So many processes may begin while much of the log waits.
constexpr std::uint64_t kMostScannedBytes = std::uint64_t{256} << 20;

// Every message of the topic of decisions has the positions of all sources, and topics take 1 MiB
// by default. The other half is for files that others append at the same time.
constexpr std::size_t kMostPositionBytes = std::size_t{512} << 10;

// Lines of a file can be read again, so there are no dead letters of them.
KafkaOptions options_for_files(const Config& config) {
  KafkaOptions options = options_of_log(config.kafka, config.cluster);
  options.dead_letter_topic.clear();
  return options;
}

MessageLimits limits_for_files(ClusterClient& client) {
  const Config& config = client.config();
  const auto topic =
      check_cluster(config, ClusterUse::kSketch, false, client.consumer(), client.retry());
  return {.output = std::min(most_message_bytes(config.kafka), topic.log_message_bytes)};
}

Positions accepted_positions(ClusterClient& client, const ClusterHead& head, const Rule& rule) {
  const TopicPartition log{client.config().cluster.log_topic(), 0};
  const auto enough = [](const LogPart& part) { return part.bytes >= kMostScannedBytes; };
  const std::int64_t end = await_watermarks(client.consumer(), log, client.retry()).high;
  return scan_log(client.consumer(), log.topic, head.last, end, rule, head.uuid, enough,
                  client.retry())
      .state.positions;
}

}  // namespace

FileAppender::FileAppender(ClusterClient& client, const Rule& rule, Backend& backend,
                           const std::atomic<bool>& stop, Progress progress)
    : client_(client),
      config_(client.config()),
      rule_(rule),
      backend_(backend),
      stop_(stop),
      progress_(std::move(progress)),
      head_(read_cluster_head(client.consumer(), config_.cluster, rule, client.retry())),
      appender_(options_for_files(config_), rule, head_.uuid, limits_for_files(client),
                client.retry()),
      decisions_(client.consumer(), config_.cluster, head_, client.retry().log()),
      fill_(client.consumer(), config_.cluster),
      positions_(accepted_positions(client, head_, rule)) {}

void FileAppender::append(const std::string& path) {
  try {
    const std::uint64_t content = content_hash(path, stop_);
    Position& position = position_of({file_source_name(path, content), 0});
    const bool whole = sketch(path, position);
    if (stop_) throw Stopped();
    if (whole) return;
    throw Failure(
        Exit::kUnavailable,
        fmt::format("the readers of the log have skipped appended records of {}: rerun the command",
                    path));
  } catch (const ReadStopped&) {
    throw Stopped();
  } catch (const KafkaError& error) {
    if (error.code() == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED) {
      throw Failure(Exit::kConfig, missing_permission(config_.kafka, "WRITE",
                                                      "topic " + config_.cluster.log_topic()));
    }
    throw Failure(
        Exit::kUnavailable,
        fmt::format(
            "kafka: {}; rerun the same command: it continues after the last appended record of {}",
            error.what(), path));
  }
}

Position& FileAppender::position_of(const TopicPartition& source) {
  const auto known = std::ranges::find(positions_, source, &Position::partition);
  if (known != positions_.end()) return *known;
  require_room(source);
  return positions_.emplace_back(source, 0);
}

void FileAppender::require_room(const TopicPartition& source) {
  decisions_.poll();
  const Positions decided = decisions_.last().log.positions;
  const Positions& known = decided.size() > positions_.size() ? decided : positions_;
  const std::size_t bytes = encode_positions(known).size() + encode_positions({{source, 0}}).size();
  if (bytes <= kMostPositionBytes) return;
  throw Failure(
      Exit::kUsage,
      fmt::format("the cluster has {} sources already, which take {} bytes with one more, and "
                  "above {} no more files are appended: each message of topic {} has them all, "
                  "and deciders end when one is too large for the topic. Put the documents of "
                  "many files into one, or make another cluster",
                  known.size(), bytes, kMostPositionBytes, config_.cluster.decisions_topic()));
}

bool FileAppender::sketch(const std::string& path, Position& position) {
  FileSource file({path}, {},
                  {.max_record_bytes = config_.input.max_record_bytes,
                   .fields = record_fields(config_.input, config_.output)});
  LaterLines records(file, static_cast<std::uint64_t>(position.offset));
  appender_.begin({position});
  const bool whole = sketch(records, file, position);
  appended_.seen += records.skipped();
  finished_bytes_ += file.progress().done_bytes;
  appended_.notes.insert(appended_.notes.end(), file.notes().begin(), file.notes().end());
  return whole;
}

bool FileAppender::sketch(Source& records, const FileSource& file, Position& position) {
  const SketchingAsks asks{
      .ends = [this] { return ends(); },
      .log_is_full = [this] { return fill_.is_full(appender_, decisions_.last()); },
      .decided = [this] { return decisions_.last(); },
      .commit = [](const std::vector<OffsetCommit>&) { return true; },  // the log has it
      .committed =
          [&](const Positions& appended) {
            position.offset = appended.front().offset;
            show(file);
          },
      .make_decoder =
          [this] {
            return std::make_unique<RecordDecoder>(config_.input, config_.text, config_.output);
          }};
  return Sketching(config_, rule_, backend_, appender_, asks, client_.retry(), *this).run(records);
}

void FileAppender::show(const FileSource& file) {
  appended_.read_bytes = finished_bytes_ + file.progress().done_bytes;
  progress_(appended_);
}

// Nobody else sees to the clients.
bool FileAppender::ends() {
  client_.consumer().serve();
  decisions_.poll();
  fill_.look();
  return stop_;
}

void FileAppender::batch_appended(const AppendedBatchReport& batch) {
  for (std::size_t i = 0; i < batch.records.size(); ++i) appended_.records[i] += batch.records[i];
  add_notices(batch.notices, appended_.notices);
}

}  // namespace neardup
