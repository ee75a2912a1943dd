#include "service/kafka/read/reading.h"

namespace neardup {

Watermarks await_watermarks(const Consumer& consumer, const TopicPartition& partition,
                            RetryPolicy& retry) {
  Watermarks marks;
  retry.until_done("looking up offsets", [&] { marks = consumer.watermarks(partition); });
  return marks;
}

std::map<std::string, std::int32_t> await_partition_counts(const Consumer& consumer,
                                                           const std::vector<std::string>& topics,
                                                           RetryPolicy& retry) {
  std::map<std::string, std::int32_t> counts;
  retry.until_done("looking up topics", [&] { counts = consumer.partition_counts(topics); });
  return counts;
}

std::string await_cluster_id(const Consumer& consumer, RetryPolicy& retry) {
  std::string id;
  retry.until_done("asking for the cluster's id", [&] { id = consumer.cluster_id(); });
  return id;
}

}  // namespace neardup
