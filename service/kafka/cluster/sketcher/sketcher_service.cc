#include "service/kafka/cluster/sketcher/sketcher_service.h"

#include <fmt/core.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "gpu/backends.h"
#include "pipeline/base/failure.h"
#include "service/kafka/client/client_conf.h"
#include "service/kafka/cluster/cluster_checks.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/cluster/cluster_topics.h"
#include "service/kafka/cluster/sketcher/source_note.h"
#include "service/kafka/message/commit_metadata.h"
#include "service/kafka/message/message_decoder.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/start/start_checks.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr milliseconds kMembershipStep{100};
constexpr seconds kBetweenAttempts{1};  // before appending failed or skipped records again

}  // namespace

KafkaUse kafka_of_sketcher(const Config& config) {
  std::vector<std::string> topics{config.cluster.log_topic(), config.cluster.decisions_topic()};
  topics.insert(topics.end(), config.kafka.topics.begin(), config.kafka.topics.end());
  return {config.kafka, std::move(topics), remedy_of_new_source(config.cluster)};
}

SketcherService::SketcherService(ServiceRunner& runner)
    : runner_(runner),
      config_(runner.context().config),
      rule_(runner.context().rule),
      log_(runner.context().log),
      kafka_(runner.kafka()),
      events_(runner.metrics().events()),
      log_options_(options_of_log(config_.kafka, config_.cluster)),
      notices_(log_),
      fill_(kafka_.consumer, config_.cluster) {}

void SketcherService::start() {
  const Busy busy(runner_.watch(), ServiceStage::kReader);
  RetryPolicy& reading = kafka_.reading;
  kafka_.topics.begin({}, reading);
  const ClusterHead head = read_cluster_head(kafka_.consumer, config_.cluster, rule_, reading);
  cluster_ = head.uuid;
  decisions_ = std::make_unique<DecisionsFollower>(kafka_.consumer, config_.cluster, head, log_);
  const ClusterTopicLimits log =
      check_cluster(config_, ClusterUse::kSketch, false, kafka_.consumer, reading);
  limits_ = check_start(log_options_, OutputMode::kFlags, runner_.context().switches.create_topics,
                        kafka_.consumer, reading);
  limits_.output = std::min(limits_.output, log.log_message_bytes);
}

void SketcherService::serve() {
  runner_.begin();
  const auto backend = make_backend(config_.backend_options(), rule_.plan);
  const std::string rule = rule_fingerprint(rule_text(rule_));
  const auto shown_backend = runner_.metrics().show_backend(*backend, rule);
  member_ = std::make_unique<GroupMember>(
      config_.kafka, GroupMemberOptions{config_.kafka.group_id, config_.kafka.topics}, log_);
  log_.info("serving", {{"backend", backend->description()},
                        {"role", name(config_.cluster.role)},
                        {"cluster", cluster_},
                        {"rule", rule}});
  runner_.metrics().set_state(ServiceState::kServing);
  GpuLog gpu(log_);
  for (std::uint64_t generation = 0; !runner_.ends();) {
    const Membership now = member_->wait(generation, kMembershipStep);
    member_->finished(now.generation);
    generation = now.generation;
    if (now.partitions.empty()) {
      ready_ = generation > 0;  // another member has them all
      continue;
    }
    sketch(now, *backend, gpu);
    if (!runner_.context().stop) source_.reset();  // it would read on
  }
  member_.reset();
  gpu.summary(backend->report());
}

void SketcherService::sketch(const Membership& membership, Backend& backend, GpuLog& gpu) {
  try {
    if (!appender_) {
      appender_ =
          std::make_unique<LogAppender>(log_options_, rule_, cluster_, limits_, kafka_.finishing);
    }
    Positions positions = begin(membership.partitions);
    ready_ = true;
    source_ = std::make_unique<KafkaSource>(runner_.read_context(), std::move(positions),
                                            source_options());
    Sketching(config_, rule_, backend, *appender_, asks_of(membership, backend, gpu),
              kafka_.finishing, events_)
        .run(*source_);
  } catch (const Stopped&) {
    if (runner_.abandoned()) throw;
    // It was stopped while it waited for brokers, before anything was appended.
  } catch (const KafkaError& error) {
    if (error.error_class() == ErrorClass::kDenied) {
      throw Failure(Exit::kConfig, std::string("kafka: ") + error.what());
    }
    events_.append_failed();
    log_.warning("appending again", {{"reason", error.what()}});
    appender_.reset();
    if (!runner_.context().stop) std::this_thread::sleep_for(kBetweenAttempts);
  }
}

SketchingAsks SketcherService::asks_of(const Membership& membership, Backend& backend,
                                       GpuLog& gpu) {
  return {
      .ends = [&] { return runner_.ends() || member_->now().generation != membership.generation; },
      .log_is_full = [this] { return fill_.is_full(*appender_, decisions_->last()); },
      .decided = [this] { return decisions_->last(); },
      .commit =
          [this](const std::vector<OffsetCommit>& commits) { return member_->commit(commits); },
      .committed =
          [&](const Positions& positions) {
            kafka_.metrics.partitions().committed(positions, steady_clock::now());
            gpu.show(backend.report());
          },
      .make_decoder =
          [this] {
            return std::make_unique<MessageDecoder>(config_.input, config_.text, config_.output);
          },
      .noticed = [this](const NoticeCounts& counts) { notices_.show(counts); }};
}

// Returns where to read from.
Positions SketcherService::begin(const std::vector<TopicPartition>& partitions) {
  require_sources();
  std::vector<CommittedOffset> committed;
  kafka_.reading.until_done("reading the committed offsets",
                            [&] { committed = kafka_.consumer.committed(partitions); });
  const Decided last = decisions_->last();
  const std::string log_topic = config_.cluster.log_topic();
  Positions ranges;
  Positions reads;
  bool again = false;
  for (const CommittedOffset& one : committed) {
    const auto mark = decode_log_mark(one.metadata);
    if (mark) kafka_.topics.require(one.partition.topic, mark->topic_id);
    const SourceStart start = source_start(one, last, id_of(kafka_.topics.known(), log_topic));
    if (start.again) tell_restart(one, start);
    again = again || start.again;
    ranges.push_back({one.partition, start.range});
    reads.push_back({one.partition, first_offset(start, one.partition)});
  }
  if (again) kafka_.reading.pause(kBetweenAttempts);
  kafka_.metrics.partitions().keep(partitions);
  kafka_.metrics.partitions().committed(ranges, steady_clock::now());
  appender_->begin(std::move(ranges), kafka_.topics.known());
  appender_->skip_to(reads);
  appender_->end_batch();
  return reads;
}

// The positions of the log's sources are of the topics that the group has noted. It is noted before
// anything is appended; where the group is about to change, once it has changed.
void SketcherService::require_sources() {
  const TopicPartition place{config_.cluster.decisions_topic(), 0};
  std::vector<CommittedOffset> found;
  kafka_.reading.until_done("reading the committed offsets",
                            [&] { found = kafka_.consumer.committed({place}); });
  const SourceNote now{cluster_, kafka_.topics.known()};
  const auto noted = decode_source_note(found.front().metadata);
  if (noted) {
    for (const auto& [topic, id] : noted->ids) {
      const bool is_input = std::ranges::count(config_.kafka.topics, topic) > 0;
      if (is_input || noted->cluster == cluster_) kafka_.topics.require(topic, id);
    }
    if (*noted == now) return;
  }
  try {
    member_->note({{place, 0}, encode_source_note(now)});
  } catch (const KafkaError& error) {
    log_.warning("sources not noted", {{"reason", error.what()}});
  }
}

void SketcherService::tell_restart(const CommittedOffset& committed, const SourceStart& start) {
  events_.source_restarted();
  log_.warning("sketching again",
               {{"partition", to_text(committed.partition)},
                {"committed", committed.offset.value_or(0)},
                {"from", start.range},
                {"detail", "the readers of the log have skipped appended messages"}});
}

std::int64_t SketcherService::first_offset(const SourceStart& start,
                                           const TopicPartition& partition) {
  if (start.read == SourceStart::Read::kFromRange) return start.offset.value_or(start.range);
  const Watermarks marks = await_watermarks(kafka_.consumer, partition, kafka_.reading);
  const bool latest =
      start.read == SourceStart::Read::kAsAsked && config_.kafka.start == StartAt::kLatest;
  return latest ? marks.high : marks.low;
}

// The partitions are those of the positions: others come from the group.
KafkaSourceOptions SketcherService::source_options() {
  KafkaSourceOptions options;
  options.max_record_bytes = config_.input.max_record_bytes;
  options.linger = milliseconds(config_.batch.linger_ms);
  options.idle_commit = seconds(config_.kafka.idle_commit_seconds);
  options.refresh = metadata_refresh(config_.kafka);
  options.skip_gap = runner_.context().switches.skip_gap;
  options.topics = &kafka_.topics;
  return options;
}

void SketcherService::look(bool reachable) {
  if (reachable) kafka_.topic_look.step();
  decisions_->poll();
  if (reachable) fill_.look();
}

std::optional<std::string> SketcherService::not_ready_reason() const {
  return ready_ ? "" : "joining the group";
}

}  // namespace neardup
