#include "service/kafka/deliver/producer.h"

#include <vector>

namespace neardup {
namespace {

constexpr int kFullQueuePollMs = 50;
constexpr int kFlushMs = 100;

using Headers = std::unique_ptr<rd_kafka_headers_t, Destroy<rd_kafka_headers_destroy>>;

Headers make_headers(const std::vector<MessageHeader>& headers) {
  Headers list(rd_kafka_headers_new(headers.size()));
  for (const MessageHeader& header : headers) {
    check(rd_kafka_header_add(list.get(), header.name.data(),
                              static_cast<ssize_t>(header.name.size()),
                              header.value ? header.value->data() : nullptr,
                              header.value ? static_cast<ssize_t>(header.value->size()) : 0),
          "adding a header");
  }
  return list;
}

rd_kafka_vu_t bytes_of(rd_kafka_vtype_t type, const std::optional<std::string>& bytes) {
  rd_kafka_vu_t part{};
  part.vtype = type;
  // An empty value is not a null one.
  part.u.mem.ptr = bytes ? const_cast<char*>(bytes->data()) : nullptr;
  part.u.mem.size = bytes ? bytes->size() : 0;
  return part;
}

}  // namespace

Producer::Producer(const KafkaOptions& options, ClientRole role, RetryPolicy& retry)
    : retry_(retry), client_(make_client(options, role, retry.events())) {
  const std::string* names[] = {&options.output_topic, &options.dead_letter_topic,
                                &options.order_topic};
  for (std::size_t i = 0; i < topics_.size(); ++i) {
    if (names[i]->empty()) continue;
    topics_[i].reset(rd_kafka_topic_new(client_.get(), names[i]->c_str(), nullptr));
  }
}

void Producer::produce(const OutgoingMessage& message, DeliveryReport* report) {
  Headers headers = make_headers(message.headers);
  std::vector<rd_kafka_vu_t> parts(6);
  parts[0].vtype = RD_KAFKA_VTYPE_RKT;
  parts[0].u.rkt = topics_[static_cast<std::size_t>(message.destination)].get();
  parts[1] = bytes_of(RD_KAFKA_VTYPE_KEY, message.key);
  parts[2] = bytes_of(RD_KAFKA_VTYPE_VALUE, message.value);
  parts[3].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
  parts[3].u.i = RD_KAFKA_MSG_F_COPY;
  parts[4].vtype = RD_KAFKA_VTYPE_HEADERS;
  parts[4].u.headers = headers.get();
  parts[5].vtype = RD_KAFKA_VTYPE_OPAQUE;
  parts[5].u.ptr = report;
  if (message.ts_ms) {
    parts.emplace_back();
    parts.back().vtype = RD_KAFKA_VTYPE_TIMESTAMP;
    parts.back().u.i64 = *message.ts_ms;
  }
  if (message.partition) {
    parts.emplace_back();
    parts.back().vtype = RD_KAFKA_VTYPE_PARTITION;
    parts.back().u.i32 = *message.partition;
  }
  while (true) {
    KafkaErrorPtr error(rd_kafka_produceva(client_.get(), parts.data(), parts.size()));
    if (!error) break;
    if (rd_kafka_error_code(error.get()) != RD_KAFKA_RESP_ERR__QUEUE_FULL) {
      check(std::move(error), "sending a message");
    }
    if (retry_.stop()) throw Stopped();
    rd_kafka_poll(client_.get(), kFullQueuePollMs);
  }
  static_cast<void>(headers.release());  // the message has them now
}

void flush(const Producer& producer, const std::atomic<bool>& abandoned) {
  while (rd_kafka_flush(producer.handle(), kFlushMs) == RD_KAFKA_RESP_ERR__TIMED_OUT) {
    if (!abandoned) continue;
    rd_kafka_purge(producer.handle(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
  }
}

}  // namespace neardup
