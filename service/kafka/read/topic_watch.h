// Whether the topics that positions are of are still those topics, by their ids (topic_ids.h).
//
// The owner of a position knows the id of its topic from before the position was looked up, and
// looks it up again after records were read and before their positions are stored. So records of a
// recreated topic are never skipped silently: a known id stays known until a person has said what
// to do.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "config/service_options.h"
#include "pipeline/base/failure.h"
#include "pipeline/base/mutex.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/message/topic_ids.h"

namespace neardup {

// Ends the process with 75. Before version 2.10 librdkafka may crash when a client that has read
// such a topic is closed (its issue 4964), so that none is.
class TopicMadeAgain : public Failure {
 public:
  explicit TopicMadeAgain(const std::string& what) : Failure(Exit::kUnavailable, what) {}
};

class TopicWatch {
 public:
  // `remedy`: how to continue, the end of an error. Both references must outlive this.
  TopicWatch(const KafkaOptions& options, std::vector<std::string> topics, std::string remedy,
             ClientEvents& events);

  // Asks the brokers. Throws KafkaErrors. Any thread.
  TopicIds ask(const std::vector<std::string>& topics) const;
  // Asks for the ids of the watched topics until the brokers answer. Some brokers have none: a
  // warning says so.
  TopicIds ask(RetryPolicy& retry) const;

  // Positions are of these topics from now on. Others that are known stay so.
  void know(const TopicIds& ids);
  TopicIds known() const;

  // For a process whose positions are of topics with the ids `of_positions`, as far as these are
  // known: takes the ids of now for the others. Throws TopicMadeAgain, Stopped.
  void begin(const TopicIds& of_positions, RetryPolicy& retry);
  // Throws TopicMadeAgain when a position is of a topic `topic` with another id than the known one.
  void require(const std::string& topic, const std::string& id);

  // Throws TopicMadeAgain when one of the watched topics has another id than the known one. One
  // request: without an answer it returns, since the next call finds the same.
  void require_same(Log& log) const;
  // Throws TopicMadeAgain that names `topics`, their current ids, and how to continue.
  [[noreturn]] void refuse(const TopicIds& topics) const { refuse(topics, remedy_); }
  [[noreturn]] void refuse(const TopicIds& topics, std::string_view remedy) const;

  const std::vector<std::string>& topics() const { return topics_; }

 private:
  const std::vector<std::string> topics_;
  const std::string remedy_;
  KafkaHandle client_;  // a separate one: see topic_watch.cc
  mutable Mutex mutex_;
  TopicIds known_ GUARDED_BY(mutex_);
};

// Asks once a second whether the topics of `watch` are the same. One thread.
class TopicLook {
 public:
  // Both must outlive this.
  TopicLook(const TopicWatch& watch, Log& log) : watch_(watch), log_(log) {}
  // To be called often. Throws as TopicWatch::require_same does.
  void step();

 private:
  const TopicWatch& watch_;
  Log& log_;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now();
};

}  // namespace neardup
