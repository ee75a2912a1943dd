#include "service/kafka/cluster/shard/shard_service.h"

#include <fmt/core.h>

#include <chrono>
#include <utility>

#include "pipeline/base/failure.h"
#include "pipeline/rule/index_entry.h"
#include "pipeline/state_access.h"
#include "pipeline/state_keys.h"
#include "service/cluster/placement.h"
#include "service/kafka/cluster/cluster_checks.h"
#include "service/kafka/cluster/cluster_topics.h"
#include "service/kafka/cluster/shard/shard_state.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/store/state_head.h"
#include "service/pipeline_options.h"
#include "service/state/state_order.h"

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

KafkaUse kafka_of_shard(const Config& config) {
  const ClusterOptions& cluster = config.cluster;
  return {shard_options(config),
          {cluster.log_topic(), cluster.decisions_topic()},
          remedy_of_new_topic(cluster),
          ServiceStage::kDecider};
}

ShardService::ShardService(ServiceRunner& runner, std::string url)
    : runner_(runner),
      config_(runner.context().config),
      rule_(runner.context().rule),
      log_(runner.context().log),
      control_(runner.context().control),
      kafka_(runner.kafka()),
      events_(runner.metrics().events()),
      url_(std::move(url)) {}

void ShardService::start() {
  const Busy busy(runner_.watch(), ServiceStage::kDecider);
  const Consumer& consumer = kafka_.consumer;
  RetryPolicy& reading = kafka_.reading;
  Store& store = runner_.open_state();
  require_order_of_topics(store);
  kafka_.topics.begin(ids_of_state(read_head(store), consumer, config_.cluster, reading), reading);
  head_ = read_cluster_head(consumer, config_.cluster, rule_, reading);
  check_cluster(config_, ClusterUse::kShard, false, consumer, reading);
  identity_ = {.cluster = head_.uuid,
               .shard = config_.cluster.shard,
               .log = {config_.cluster.log_topic(), 0},
               .layout = layout_text(kafka_.options, await_cluster_id(consumer, reading)),
               .ids = kafka_.topics.known()};
  take_up(open_shard_state(identity_, head_, runner_));
  runner_.announce_state(url_);
  kafka_.metrics.partitions().keep(
      {{config_.cluster.log_topic(), 0}, {config_.cluster.decisions_topic(), 0}});
}

void ShardService::take_up(const ShardPlace& place) {
  Store& store = runner_.store();
  store.set_index(IndexEntryMaker(rule_.plan));
  const PipelineOptions options = make_pipeline_options(config_, rule_);
  shard_.emplace(rule_, slack_of(rule_), options.filter, options.cpu, options.keep_texts, store);
  undecided_.emplace(LogContext{rule_, head_.uuid, config_.cpu.simd, events_, log_}, place.log,
                     place.placement);
  work_.emplace(identity_, place, config_.cluster.window, *shard_, store, *undecided_, events_);
  decisions_ = std::make_unique<DecisionsReader>(kafka_.consumer, config_.cluster, head_.uuid,
                                                 place.decisions, log_);
  messages_ = std::make_unique<LogReader>(kafka_.consumer, config_.cluster, place.log.offset, log_);
}

void ShardService::serve() {
  runner_.begin();
  const Busy busy(runner_.watch(), ServiceStage::kDecider);
  const AcceptStateTasks tasks(control_.tasks(), [] {});
  const AcceptStateTasks reads(control_.reads(), [] {});
  log_.info("serving", {{"role", name(config_.cluster.role)},
                        {"cluster", head_.uuid},
                        {"shard", identity_.shard},
                        {"replica", config_.cluster.replica},
                        {"next_seq", work_->place().next},
                        {"rule", head_.last.rule}});
  runner_.metrics().set_state(ServiceState::kServing);
  show_place();
  try {
    while (!runner_.ends()) step();
  } catch (const Stopped&) {
    // What is not applied is read again.
  }
}

// Decisions go first: answers as of later ones can be used for longer.
void ShardService::step() {
  runner_.watch().alive(ServiceStage::kDecider);
  OwnState state(runner_.store());
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
      answers_ = std::make_unique<AnswerWriter>(kafka_.options, rule_, head_.uuid, identity_.shard,
                                                kafka_.reading);
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
    events_.chunk_answered(report);
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
  events_.answering_failed();
  log_.warning("answering again", {{"reason", error.what()}});
  answers_.reset();
  work_->answer_again();
  kafka_.reading.pause(kBetweenAnswers);
}

void ShardService::show_place() {
  const ShardPlace& place = work_->place();
  kafka_.metrics.partitions().committed({{identity_.log, place.log.offset},
                                         {{config_.cluster.decisions_topic(), 0}, place.decisions}},
                                        steady_clock::now());
  events_.state_stands(place.next - 1, shard_->stream_time_ms());
  behind_ = work_->behind();
  reached_ = place.next;
}

void ShardService::look(bool reachable) {
  if (reachable) kafka_.topic_look.step();
}

std::optional<std::string> ShardService::not_ready_reason() const {
  if (reached_ == 0) return {};
  if (reached_ < head_.last.next) return "catching up with the decisions";
  if (behind_ > config_.cluster.window) return "more than cluster.window records behind";
  return "";
}

}  // namespace neardup
