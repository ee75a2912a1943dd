// A member of a consumer group, for group_member_test.py: group_member BROKERS GROUP TOPIC…
//
// Writes a line for each membership, {"generation":2,"partitions":["docs[0]","docs[1]"]}, and obeys
// the lines of its input:
//   hold                              finishes with no partition from now on, until `let go`
//   let go
//   commit TOPIC PARTITION OFFSET METADATA    answers {"commit":"yes"}, "no" or the error
#include "service/kafka/cluster/group_member.h"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;

void show(const Membership& membership) {
  std::string partitions;
  for (const TopicPartition& partition : membership.partitions) {
    partitions += fmt::format("{}\"{}\"", partitions.empty() ? "" : ",", to_text(partition));
  }
  fmt::print("{{\"generation\":{},\"partitions\":[{}]}}\n", membership.generation, partitions);
  std::fflush(stdout);
}

std::string commit(GroupMember& member, const OffsetCommit& one) {
  try {
    return member.commit(std::span(&one, 1)) ? "yes" : "no";
  } catch (const KafkaError& error) {
    return error.what();
  }
}

class Session {
 public:
  explicit Session(GroupMember& member) : member_(member) {}

  // False: the input has ended.
  bool step() {
    const Membership now = member_.wait(shown_, milliseconds(20));
    if (now.generation != shown_) {
      shown_ = now.generation;
      show(now);
    }
    if (!holds_) member_.finished(shown_);
    pollfd input{STDIN_FILENO, POLLIN, 0};
    return poll(&input, 1, 0) <= 0 || obey();
  }

 private:
  bool obey() {
    std::string line;
    if (!std::getline(std::cin, line)) return false;
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    if (verb == "commit") {
      OffsetCommit one;
      Position& position = one.position;
      words >> position.partition.topic >> position.partition.partition >> position.offset >>
          one.metadata;
      fmt::print("{{\"commit\":\"{}\"}}\n", commit(member_, one));
      std::fflush(stdout);
    } else {
      holds_ = verb == "hold";
    }
    return true;
  }

  GroupMember& member_;
  std::uint64_t shown_ = 0;
  bool holds_ = false;
};

int run(int count, char** words) {
  KafkaOptions kafka;
  kafka.brokers = words[1];
  kafka.group_id = words[2];
  Log log(LogOptions{});
  GroupMember member(kafka, {words[2], {words + 3, words + count}}, log);
  std::setvbuf(stdin, nullptr, _IONBF, 0);  // what was read ahead, poll would not see
  Session session(member);
  try {
    while (session.step()) {
    }
    return 0;
  } catch (const Failure& failure) {
    log.error("ended", {{"reason", failure.what()}});
    return static_cast<int>(failure.exit());
  }
}

}  // namespace
}  // namespace neardup

int main(int count, char** words) { return neardup::run(count, words); }
