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
#include "service/kafka/monitor/service_monitor.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/start/start_checks.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr milliseconds kMembershipStep{100};
constexpr seconds kBetweenAttempts{1};  // before appending failed or skipped records again

std::vector<std::string> topics_to_watch(const Config& config) {
  std::vector<std::string> topics = config.kafka.topics;
  topics.push_back(config.cluster.log_topic());
  topics.push_back(config.cluster.decisions_topic());
  return topics;
}

}  // namespace

SketcherService::SketcherService(const ServiceContext& context)
    : config_(context.config),
      rule_(context.rule),
      switches_(context.switches),
      log_(context.log),
      health_(context.health),
      stop_(context.stop),
      log_options_(options_of_log(config_.kafka, config_.cluster)),
      events_(log_),
      metrics_(context.registry, health_),
      kafka_metrics_(context.registry, events_),
      watch_(kLongestCall, end_process(log_)),
      reading_(
          [this] {
            watch_.alive(ServiceStage::kReader);
            return stop_ || failed_;
          },
          events_, log_),
      committing_([this] { return serving_ ? abandoned_.load() : stop_.load(); }, events_, log_),
      consumer_(config_.kafka, events_),
      notices_(log_),
      topics_(config_.kafka, topics_to_watch(config_), remedy_of_new_source(config_.cluster),
              events_),
      look_at_topics_(topics_, log_),
      fill_(consumer_, config_.cluster) {}

bool SketcherService::run() {
  try {
    start();
  } catch (const Stopped&) {
    return true;  // nothing was read
  } catch (const KafkaError& error) {
    throw Failure(Exit::kUnavailable, std::string("kafka: ") + error.what());
  }
  serving_ = true;
  std::jthread monitor([this](const std::stop_token& ended) { watch(ended); });
  try {
    serve();
    return true;
  } catch (const Stopped&) {
    throw_failure();
    return false;
  } catch (const KafkaError& error) {
    throw Failure(Exit::kUnavailable, std::string("kafka: ") + error.what());
  }
}

void SketcherService::start() {
  const Busy busy(watch_, ServiceStage::kReader);
  health_.set_not_ready("connecting to Kafka");
  topics_.begin({}, reading_);
  const ClusterHead head = read_cluster_head(consumer_, config_.cluster, rule_, reading_);
  cluster_ = head.uuid;
  decisions_ = std::make_unique<DecisionsFollower>(consumer_, config_.cluster, head, log_);
  const ClusterTopicLimits log =
      check_cluster(config_, ClusterUse::kSketch, false, consumer_, reading_);
  limits_ =
      check_start(log_options_, OutputMode::kFlags, switches_.create_topics, consumer_, reading_);
  limits_.output = std::min(limits_.output, log.log_message_bytes);
}

void SketcherService::serve() {
  const auto backend = make_backend(config_.backend_options(), rule_.plan);
  const std::string rule = rule_fingerprint(rule_text(rule_));
  const auto shown_backend = metrics_.show_backend(*backend, rule);
  const Watchdog watchdog(watch_);
  member_ = std::make_unique<GroupMember>(
      config_.kafka, GroupMemberOptions{config_.kafka.group_id, config_.kafka.topics}, log_);
  log_.info("serving", {{"backend", backend->description()},
                        {"role", name(config_.cluster.role)},
                        {"cluster", cluster_},
                        {"rule", rule}});
  metrics_.set_state(ServiceState::kServing);
  GpuLog gpu(log_);
  for (std::uint64_t generation = 0; !stop_ && !failed_;) {
    const Membership now = member_->wait(generation, kMembershipStep);
    member_->finished(now.generation);
    generation = now.generation;
    if (now.partitions.empty()) {
      ready_ = generation > 0;  // another member has them all
      continue;
    }
    sketch(now, *backend, gpu);
    if (!stop_) source_.reset();  // it would read on
  }
  member_.reset();
  gpu.summary(backend->report());
  throw_failure();
}

void SketcherService::sketch(const Membership& membership, Backend& backend, GpuLog& gpu) {
  const SketchingAsks asks{
      .ends =
          [&] { return stop_ || failed_ || member_->now().generation != membership.generation; },
      .log_is_full = [this] { return fill_.is_full(*appender_, decisions_->last()); },
      .decided = [this] { return decisions_->last(); },
      .commit =
          [this](const std::vector<OffsetCommit>& commits) { return member_->commit(commits); },
      .committed =
          [&](const Positions& positions) {
            kafka_metrics_.partitions().committed(positions, steady_clock::now());
            gpu.show(backend.report());
          },
      .make_decoder =
          [this] {
            return std::make_unique<MessageDecoder>(config_.input, config_.text, config_.output);
          },
      .noticed = [this](const NoticeCounts& counts) { notices_.show(counts); }};
  try {
    if (!appender_) {
      appender_ =
          std::make_unique<LogAppender>(log_options_, rule_, cluster_, limits_, committing_);
    }
    Positions positions = begin(membership.partitions);
    ready_ = true;
    source_ = std::make_unique<KafkaSource>(consumer_, std::move(positions), source_options(),
                                            std::nullopt, reading_, watch_, metrics_.events());
    Sketching(config_, rule_, backend, *appender_, asks, committing_, metrics_.events())
        .run(*source_);
  } catch (const Stopped&) {
    if (abandoned_) throw;
    // It was stopped while it waited for brokers, before anything was appended.
  } catch (const KafkaError& error) {
    if (error.error_class() == ErrorClass::kDenied) {
      throw Failure(Exit::kConfig, std::string("kafka: ") + error.what());
    }
    metrics_.events().append_failed();
    log_.warning("appending again", {{"reason", error.what()}});
    appender_.reset();
    if (!stop_) std::this_thread::sleep_for(kBetweenAttempts);
  }
}

// Returns where to read from.
Positions SketcherService::begin(const std::vector<TopicPartition>& partitions) {
  require_sources();
  std::vector<CommittedOffset> committed;
  reading_.until_done("reading the committed offsets",
                      [&] { committed = consumer_.committed(partitions); });
  const Decided last = decisions_->last();
  const std::string log_topic = config_.cluster.log_topic();
  Positions ranges;
  Positions reads;
  bool again = false;
  for (const CommittedOffset& one : committed) {
    const auto mark = decode_log_mark(one.metadata);
    if (mark) topics_.require(one.partition.topic, mark->topic_id);
    const SourceStart start = source_start(one, last, id_of(topics_.known(), log_topic));
    if (start.again) tell_restart(one, start);
    again = again || start.again;
    ranges.push_back({one.partition, start.range});
    reads.push_back({one.partition, first_offset(start, one.partition)});
  }
  if (again) reading_.pause(kBetweenAttempts);
  kafka_metrics_.partitions().keep(partitions);
  kafka_metrics_.partitions().committed(ranges, steady_clock::now());
  appender_->begin(std::move(ranges), topics_.known());
  appender_->skip_to(reads);
  appender_->end_batch();
  return reads;
}

// The positions of the log's sources are of the topics that the group has noted. It is noted before
// anything is appended; where the group is about to change, once it has changed.
void SketcherService::require_sources() {
  const TopicPartition place{config_.cluster.decisions_topic(), 0};
  std::vector<CommittedOffset> found;
  reading_.until_done("reading the committed offsets",
                      [&] { found = consumer_.committed({place}); });
  const SourceNote now{cluster_, topics_.known()};
  const auto noted = decode_source_note(found.front().metadata);
  if (noted) {
    for (const auto& [topic, id] : noted->ids) {
      const bool is_input = std::ranges::count(config_.kafka.topics, topic) > 0;
      if (is_input || noted->cluster == cluster_) topics_.require(topic, id);
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
  metrics_.events().source_restarted();
  log_.warning("sketching again",
               {{"partition", to_text(committed.partition)},
                {"committed", committed.offset.value_or(0)},
                {"from", start.range},
                {"detail", "the readers of the log have skipped appended messages"}});
}

std::int64_t SketcherService::first_offset(const SourceStart& start,
                                           const TopicPartition& partition) {
  if (start.read == SourceStart::Read::kFromRange) return start.offset.value_or(start.range);
  const Watermarks marks = await_watermarks(consumer_, partition, reading_);
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
  options.skip_gap = switches_.skip_gap;
  options.topics = &topics_;
  return options;
}

void SketcherService::follow_decisions(bool reachable) {
  if (failed_) return;
  try {
    if (reachable) look_at_topics_.step();
    decisions_->poll();
  } catch (const Failure&) {
    const MutexLock lock(mutex_);
    failure_ = std::current_exception();
    failed_ = true;
  }
}

void SketcherService::throw_failure() {
  const MutexLock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

std::string SketcherService::trouble() const { return ready_ ? "" : "joining the group"; }

void SketcherService::watch(const std::stop_token& ended) {
  const MonitorOptions options{
      config_.cluster.log_topic(), seconds(config_.shutdown.drain_seconds),
      "Kafka does not respond; uncommitted records are sketched again by other sketchers", false};
  const MonitorAsks asks{.ends = [this] { return stop_ || failed_; },
                         .trouble = [this] { return trouble(); },
                         .step =
                             [&](bool reachable) {
                               follow_decisions(reachable);
                               if (reachable) fill_.look();
                             }};
  ServiceMonitor(options, asks, stop_, abandoned_, consumer_, events_, metrics_, kafka_metrics_,
                 health_, log_)
      .run(ended);
}

}  // namespace neardup
