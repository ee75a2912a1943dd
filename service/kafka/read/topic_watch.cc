#include "service/kafka/read/topic_watch.h"

#include <fmt/core.h>

#include <span>
#include <utility>

#include "service/kafka/client/admin_request.h"
#include "service/kafka/client/client_conf.h"

namespace neardup {
namespace {

// Before version 2.10 an answer with another id than that of the entry in a client's cache leaves a
// pointer to freed memory in it (librdkafka's issue 4964). Entries of this client are gone before
// the next answer.
const std::map<std::string, std::string> kForgetful{{"metadata.max.age.ms", "1"}};

constexpr std::chrono::seconds kBetweenIds{1};

// Leaves out topics that do not exist or may not be described.
TopicIds topic_ids(rd_kafka_t* client, const std::vector<std::string>& topics) {
  std::vector<const char*> raw;
  for (const std::string& topic : topics) raw.push_back(topic.c_str());
  const TopicNames names(rd_kafka_TopicCollection_of_topic_names(raw.data(), raw.size()));
  const KafkaEvent answer =
      ask_admin(client, RD_KAFKA_ADMIN_OP_DESCRIBETOPICS, "asking for the ids of topics",
                [&](const rd_kafka_AdminOptions_t* options, rd_kafka_queue_t* queue) {
                  rd_kafka_DescribeTopics(client, names.get(), options, queue);
                });
  std::size_t count = 0;
  const auto* const* results = rd_kafka_DescribeTopics_result_topics(
      rd_kafka_event_DescribeTopics_result(answer.get()), &count);
  TopicIds ids;
  for (const auto* result : std::span(results, count)) {
    const rd_kafka_Uuid_t* id = rd_kafka_TopicDescription_topic_id(result);
    if (rd_kafka_Uuid_most_significant_bits(id) == 0 &&
        rd_kafka_Uuid_least_significant_bits(id) == 0) {
      continue;
    }
    ids.emplace(rd_kafka_TopicDescription_name(result), rd_kafka_Uuid_base64str(id));
  }
  return ids;
}

}  // namespace

TopicWatch::TopicWatch(const KafkaOptions& options, std::vector<std::string> topics,
                       std::string remedy, ClientEvents& events)
    : topics_(std::move(topics)),
      remedy_(std::move(remedy)),
      client_(make_client(options, ClientRole::kConsumer, events, kForgetful)) {}

TopicIds TopicWatch::ask(const std::vector<std::string>& topics) const {
  while (KafkaMessage(rd_kafka_consumer_poll(client_.get(), 0))) {
  }
  return topic_ids(client_.get(), topics);
}

TopicIds TopicWatch::ask(RetryPolicy& retry) const {
  TopicIds ids;
  try {
    retry.until_done("asking for the ids of topics", [&] { ids = ask(topics_); });
  } catch (const KafkaError& error) {
    retry.log().warning("ids of topics not known", {{"reason", error.what()}});
  }
  return ids;
}

void TopicWatch::know(const TopicIds& ids) {
  const MutexLock lock(mutex_);
  for (const auto& [topic, id] : ids) known_[topic] = id;
}

TopicIds TopicWatch::known() const {
  const MutexLock lock(mutex_);
  return known_;
}

void TopicWatch::begin(const TopicIds& of_positions, RetryPolicy& retry) {
  const TopicIds now = ask(retry);
  know(now);
  know(of_positions);
  if (const TopicIds others = made_again(of_positions, now); !others.empty()) refuse(others);
}

void TopicWatch::require(const std::string& topic, const std::string& id) {
  const std::string now = id_of(known(), topic);
  if (id.empty() || now.empty() || id == now) return;
  know({{topic, id}});
  refuse({{topic, now}});
}

void TopicWatch::require_same(Log& log) const {
  TopicIds now;
  try {
    now = ask(topics_);
  } catch (const KafkaError& error) {
    log.debug("ids of topics not known", {{"reason", error.what()}});
    return;
  }
  if (const TopicIds others = made_again(known(), now); !others.empty()) refuse(others);
}

void TopicWatch::refuse(const TopicIds& topics, std::string_view remedy) const {
  const TopicIds before = known();
  std::string what;
  for (const auto& [topic, id] : topics) {
    what += fmt::format(
        "topic {} was deleted and recreated (or truncated): its id was {}, and now it is {}. The "
        "records read so far are of the old one.\n",
        topic, id_of(before, topic), id);
  }
  throw TopicMadeAgain(what.append(remedy));
}

void TopicLook::step() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  watch_.require_same(log_);
  next_ = std::chrono::steady_clock::now() + kBetweenIds;
}

}  // namespace neardup
