#include "service/kafka/cluster/shard/shard_service.h"

#include <fmt/core.h>

#include <chrono>
#include <thread>
#include <utility>

#include "pipeline/base/failure.h"
#include "pipeline/rule/index_entry.h"
#include "pipeline/state_access.h"
#include "pipeline/state_keys.h"
#include "service/cluster/placement.h"
#include "service/kafka/cluster/cluster_checks.h"
#include "service/kafka/cluster/cluster_topics.h"
#include "service/kafka/cluster/shard/shard_start.h"
#include "service/kafka/monitor/service_monitor.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/store/state_head.h"
#include "service/pipeline_options.h"
#include "service/state/state_order.h"
#include "storage/stores.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr milliseconds kNoWaiting{0};
constexpr milliseconds kShardStep{2};      // adds to the latency of each record
constexpr seconds kBetweenAnswers{1};      // to answer again what has failed
constexpr seconds kSignOfLife{1};          // between answers of a shard that is idle
constexpr Seq kMostDecidedAhead = 65'536;  // records of decided batches in memory

// Documents of a list beyond the limit of its bucket: so many may end before a record is decided.
std::uint32_t slack_of(const Rule& rule) { return rule.bucket_cap; }

// The settings of its clients. The shards of a cluster are the instances of one group, which
// commits nothing.
KafkaOptions shard_options(const Config& config) {
  KafkaOptions options = options_of_answers(config.kafka, config.cluster);
  options.topics = {config.cluster.log_topic()};
  options.group_id = config.cluster.shard_group();
  options.instance = config.cluster.shard;
  options.instances = kMostShards;
  return options;
}

}  // namespace

ShardService::ShardService(const ServiceContext& context, std::string url)
    : config_(context.config),
      kafka_(shard_options(config_)),
      rule_(context.rule),
      log_(context.log),
      health_(context.health),
      control_(context.control),
      url_(std::move(url)),
      stop_(context.stop),
      events_(log_),
      metrics_(context.registry, health_),
      kafka_metrics_(context.registry, events_),
      watch_(kLongestCall, end_process(log_)),
      retry_(
          [this] {
            watch_.alive(ServiceStage::kDecider);
            return stop_.load();
          },
          events_, log_),
      consumer_(kafka_, events_),
      topics_(kafka_, {config_.cluster.log_topic(), config_.cluster.decisions_topic()},
              remedy_of_new_topic(config_.cluster), events_),
      look_at_topics_(topics_, log_) {}

void ShardService::run() {
  const Busy busy(watch_, ServiceStage::kDecider);
  try {
    start();
    serve();
  } catch (const Stopped&) {
    // What is not applied is read again.
  } catch (const KafkaError& error) {
    throw Failure(Exit::kUnavailable, std::string("kafka: ") + error.what());
  }
}

void ShardService::start() {
  health_.set_not_ready("connecting to Kafka");
  StorageOptions storage = config_.storage;
  storage.statistics = true;
  store_ = open_store(storage, OpenMode::kReadWrite);
  shown_store_ = metrics_.show_store(*store_, storage.memory, storage.path);
  require_same_rule(*store_, rule_);
  require_order_of_topics(*store_);
  topics_.begin(ids_of_state(read_head(*store_), consumer_, config_.cluster, retry_), retry_);
  head_ = read_cluster_head(consumer_, config_.cluster, rule_, retry_);
  check_cluster(config_, ClusterUse::kShard, false, consumer_, retry_);
  identity_ = {.cluster = head_.uuid,
               .shard = config_.cluster.shard,
               .log = {config_.cluster.log_topic(), 0},
               .layout = layout_text(kafka_, await_cluster_id(consumer_, retry_)),
               .ids = topics_.known()};
  const ShardPlace place =
      open_shard_state(identity_, rule_, *store_, head_, config_.cluster, consumer_, retry_);
  store_->set_index(IndexEntryMaker(rule_.plan));
  const PipelineOptions options = make_pipeline_options(config_, rule_);
  shard_.emplace(rule_, slack_of(rule_), options.filter, options.cpu, options.keep_texts, *store_);
  undecided_.emplace(rule_, head_.uuid, place.log, place.placement, config_.cpu.simd,
                     metrics_.events(), log_);
  work_.emplace(identity_, place, config_.cluster.window, *shard_, *store_, *undecided_,
                metrics_.events());
  decisions_ = std::make_unique<DecisionsReader>(consumer_, config_.cluster, head_.uuid,
                                                 place.decisions, log_);
  messages_ = std::make_unique<LogReader>(consumer_, config_.cluster, place.log.offset, log_);
  opened_ = control_.state_opened(url_, *store_);
  kafka_metrics_.partitions().keep(
      {{config_.cluster.log_topic(), 0}, {config_.cluster.decisions_topic(), 0}});
}

void ShardService::serve() {
  watch_.waits_for(ServiceStage::kDecider, [this] { return store_->commit_wait().progress; });
  const Watchdog watchdog(watch_);
  const AcceptStateTasks tasks(control_.tasks(), [] {});
  const AcceptStateTasks reads(control_.reads(), [] {});
  show_place();
  log_.info("serving", {{"role", name(config_.cluster.role)},
                        {"cluster", head_.uuid},
                        {"shard", identity_.shard},
                        {"replica", config_.cluster.replica},
                        {"next_seq", work_->place().next},
                        {"rule", head_.last.rule}});
  metrics_.set_state(ServiceState::kServing);
  std::jthread monitor([this](const std::stop_token& ended) { watch(ended); });
  try {
    while (!stop_) step();
  } catch (...) {
    ended_ = true;
    throw;
  }
}

// Decisions go first: answers as of later ones can be used for longer.
void ShardService::step() {
  watch_.alive(ServiceStage::kDecider);
  look_at_topics_.step();
  OwnState state(*store_);
  control_.tasks().do_all(state);
  control_.reads().do_all(state);
  bool worked = take_decisions();
  worked |= messages_->read(kNoWaiting, work_->wanted(), *undecided_);
  if (work_->apply()) {
    show_place();
    return;
  }
  if (answer() || worked) return;
  if (auto message = decisions_->poll(kShardStep)) work_->add(*std::move(message));
}

bool ShardService::take_decisions() {
  bool any = false;
  while (work_->behind() < kMostDecidedAhead) {
    auto message = decisions_->poll(kNoWaiting);
    if (!message) break;
    work_->add(*std::move(message));
    any = true;
  }
  behind_ = work_->behind();
  return any;
}

bool ShardService::answer() {
  try {
    if (!answers_) {
      answers_ = std::make_unique<AnswerWriter>(kafka_, rule_, head_.uuid, identity_.shard, retry_);
    }
    answers_->poll();
    const auto start = steady_clock::now();
    auto answer = work_->answer();
    if (!answer) {
      if (start - last_answer_ >= kSignOfLife) write(work_->empty_answer());
      return false;
    }
    AnsweredReport report;
    report.records = answer->records.size();
    report.bytes = write(*std::move(answer));
    report.seconds = std::chrono::duration<double>(last_answer_ - start).count();
    metrics_.events().chunk_answered(report);
  } catch (const KafkaError& error) {
    answer_with_new_producer(error);
  }
  return true;
}

std::size_t ShardService::write(Answer answer) {
  const std::size_t bytes = answers_->write(std::move(answer));
  last_answer_ = steady_clock::now();
  return bytes;
}

void ShardService::answer_with_new_producer(const KafkaError& error) {
  if (error.error_class() == ErrorClass::kDenied) {
    throw Failure(Exit::kConfig, std::string("kafka: ") + error.what());
  }
  metrics_.events().answering_failed();
  log_.warning("answering again", {{"reason", error.what()}});
  answers_.reset();
  work_->answer_again();
  retry_.pause(kBetweenAnswers);
}

void ShardService::show_place() {
  const ShardPlace& place = work_->place();
  kafka_metrics_.partitions().committed({{identity_.log, place.log.offset},
                                         {{config_.cluster.decisions_topic(), 0}, place.decisions}},
                                        steady_clock::now());
  metrics_.events().state_stands(place.next - 1, shard_->stream_time_ms());
  behind_ = work_->behind();
  reached_ = place.next;
}

std::string ShardService::trouble() const {
  if (reached_ < head_.last.next) return "catching up with the decisions";
  if (behind_ > config_.cluster.window) return "more than cluster.window records behind";
  return {};
}

void ShardService::watch(const std::stop_token& ended) {
  const MonitorOptions options{config_.cluster.log_topic(), seconds(config_.shutdown.drain_seconds),
                               "Kafka does not respond; stored records are not read again", false};
  const MonitorAsks asks{.ends = [this] { return stop_ || ended_; },
                         .trouble = [this] { return trouble(); },
                         .step = [](bool) {}};
  ServiceMonitor(options, asks, stop_, abandoned_, consumer_, events_, metrics_, kafka_metrics_,
                 health_, log_)
      .run(ended);
}

}  // namespace neardup
