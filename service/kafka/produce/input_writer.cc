#include "service/kafka/produce/input_writer.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "service/failpoint.h"
#include "service/http/message/problem.h"
#include "service/ingest/http_source.h"
#include "service/kafka/message/message_decoder.h"

namespace neardup {
namespace {

constexpr std::size_t kRecordsAtOnce = 4096;
constexpr std::uint64_t kBytesAtOnce = std::uint64_t{4} << 20;
constexpr const char* kMessageTimeoutMs = "30000";  // ms for a message, where the user has set none

// Errors that are of this record alone, and stay when it is sent again.
bool refuses_record(rd_kafka_resp_err_t error) {
  return error == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE ||
         error == RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP ||
         error == RD_KAFKA_RESP_ERR_INVALID_RECORD || error == RD_KAFKA_RESP_ERR_INVALID_MSG_SIZE;
}

std::string error_line(const NoMessage& why) {
  return JsonObject().text("error", why.reason).text("detail", why.detail).str() + "\n";
}

std::string position_line(const MessagePlace& place) {
  return JsonObject()
             .text("topic", place.first.topic)
             .number("partition", place.first.partition)
             .number("offset", place.second)
             .str() +
         "\n";
}

// The settings of a producer whose only output is the first input topic.
KafkaOptions options_of_writer(KafkaOptions options) {
  options.output_topic = options.topics.front();
  options.dead_letter_topic.clear();
  options.order_topic.clear();
  if (!options.librdkafka.contains("delivery.timeout.ms"))
    options.librdkafka.try_emplace("message.timeout.ms", kMessageTimeoutMs);
  return options;
}

OutgoingMessage delete_message(const std::string& name_space, const std::string& id) {
  OutgoingMessage message;
  message.key = id;
  if (!name_space.empty()) message.headers.push_back({std::string(kNamespaceHeader), name_space});
  return message;
}

}  // namespace

InputWriter::InputWriter(const Config& config, DocumentsPort& port, FlagWaits& waits,
                         const std::atomic<bool>& abandoned, Log& log)
    : options_(options_of_writer(config.kafka)),
      assignment_{options_.topics, options_.instance, options_.instances},
      port_(port),
      waits_(waits),
      abandoned_(abandoned),
      events_(log),
      retry_([this] { return abandoned_.load(); }, events_, log),
      messages_(config.input, config.text) {
  port_.open();  // before the thread begins, which ends when it is closed
  thread_ = std::thread([this] { run(); });
}

InputWriter::~InputWriter() {
  port_.close();
  thread_.join();
  waits_.give_up();
  port_.fail();
}

void InputWriter::run() {
  HttpSource source(port_.queue(), port_.requests());
  RawChunk chunk;
  while (source.read(kRecordsAtOnce, kBytesAtOnce, chunk)) {
    if (!chunk.records.empty()) write(chunk);
  }
}

void InputWriter::write(const RawChunk& chunk) {
  const bool waits = divide(chunk);
  if (waits) waits_.begin();
  send(chunk);
  failpoint("after_write");
  std::vector<AwaitedFlag> awaited;
  for (const Sent& sent : sent_) add(sent, parts_[sent.part], awaited);
  for (Part& part : parts_) answer(part);
  if (waits) waits_.end(std::move(awaited));
}

// True: one of the requests waits for flags.
bool InputWriter::divide(const RawChunk& chunk) {
  parts_.clear();
  sent_.assign(chunk.records.size(), {});
  for (std::size_t i = 0; i < sent_.size(); ++i)
    sent_[i].part = part_of(chunk.records[i].source.input);
  return std::ranges::any_of(
      parts_, [](const Part& part) { return part.request && part.request->waits(); });
}

// Neighbours are mostly of one request, and few requests share a chunk.
std::size_t InputWriter::part_of(std::uint32_t request) {
  const auto found = std::find_if(parts_.rbegin(), parts_.rend(),
                                  [&](const Part& part) { return part.number == request; });
  if (found != parts_.rend()) return static_cast<std::size_t>(parts_.rend() - found) - 1;
  Part& part = parts_.emplace_back();
  part.number = request;
  part.request = port_.requests().find(request);
  return parts_.size() - 1;
}

void InputWriter::send(const RawChunk& chunk) {
  try {
    if (!producer_)
      producer_ = std::make_unique<Producer>(options_, ClientRole::kIdempotent, retry_);
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      if (parts_[sent_[i].part].request) send(chunk.records[i], sent_[i]);
    }
    wait_for_reports();
    send_alone(chunk);
  } catch (const Stopped&) {
    // The rest has no report: its requests fail.
  } catch (const Failure& failure) {
    retry_.log().warning("no producer for documents", {{"reason", failure.what()}});
  }
  if (!producer_) return;
  wait_for_reports();
  const rd_kafka_resp_err_t fatal = rd_kafka_fatal_error(producer_->handle(), nullptr, 0);
  if (fatal != RD_KAFKA_RESP_ERR_NO_ERROR) producer_.reset();
}

// A broker refuses small messages together with a large one: they came in one request.
void InputWriter::send_alone(const RawChunk& chunk) {
  for (std::size_t i = 0; i < sent_.size(); ++i) {
    if (sent_[i].report.error != RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE) continue;
    sent_[i].report = {};
    send(chunk.records[i], sent_[i]);
    wait_for_reports();
  }
}

void InputWriter::send(const RawRecord& record, Sent& sent) {
  auto made = messages_.make(record);
  if (auto* none = std::get_if<NoMessage>(&made)) {
    sent.none = std::move(*none);
    return;
  }
  try {
    producer_->produce(std::get<OutgoingMessage>(made), &sent.report);
  } catch (const KafkaError& error) {
    sent.report.error = error.code();
  }
}

void InputWriter::wait_for_reports() { flush(*producer_, abandoned_); }

void InputWriter::add(const Sent& sent, Part& part, std::vector<AwaitedFlag>& awaited) const {
  if (!part.request) return;
  ++part.records;
  const rd_kafka_resp_err_t error = sent.report.error;
  if (sent.none || refuses_record(error)) {
    const std::string line =
        error_line(sent.none ? *sent.none : NoMessage{"refused", rd_kafka_err2str(error)});
    part.lines += line;
    part.request->skip_flag(line);
  } else if (error != RD_KAFKA_RESP_ERR_NO_ERROR) {
    part.failure = not_written(error);
  } else {
    MessagePlace place{{options_.output_topic, sent.report.partition}, sent.report.offset};
    part.lines += position_line(place);
    if (!assignment_.has(place.first)) part.request->wait_no_longer();
    if (const auto number = part.request->await_flag())
      awaited.push_back({std::move(place), part.request, *number});
  }
}

HttpAnswer InputWriter::not_written(rd_kafka_resp_err_t error) const {
  const std::string& topic = options_.output_topic;
  const std::string denial = events_.denial();
  if (classify(error) == ErrorClass::kDenied) {
    return problem(503, "may_not_write",
                   fmt::format("the login of the service may not write to the topic {}, which only "
                               "documents over HTTP need: grant it WRITE, then resend",
                               topic));
  }
  return problem(
      503, "not_in_topic",
      fmt::format("not all records could be written to the topic {} ({}): some may be there. "
                  "Resend all of them: those already there are decided as `unchanged`",
                  topic, denial.empty() ? rd_kafka_err2str(error) : denial));
}

void InputWriter::answer(Part& part) {
  if (!part.request) return;
  const bool over = part.failure || part.request->written(part.lines, part.records);
  if (part.failure) part.request->fail(*part.failure);
  if (over) port_.requests().remove(part.number);
}

InputDeletes::InputDeletes(const Config& config, const std::atomic<bool>& abandoned, Log& log)
    : options_(options_of_writer(config.kafka)),
      abandoned_(abandoned),
      events_(log),
      retry_([this] { return abandoned_.load(); }, events_, log) {}

void InputDeletes::write(const std::string& name_space, const std::vector<std::string>& ids) {
  const MutexLock lock(mutex_);
  std::vector<DeliveryReport> reports(ids.size());
  rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR_NO_ERROR;
  try {
    if (!producer_)
      producer_ = std::make_unique<Producer>(options_, ClientRole::kIdempotent, retry_);
    for (std::size_t i = 0; i < ids.size(); ++i)
      producer_->produce(delete_message(name_space, ids[i]), &reports[i]);
  } catch (const KafkaError& failure) {
    error = failure.code();
  } catch (const Stopped&) {
    error = RD_KAFKA_RESP_ERR__DESTROY;
  }
  if (producer_) flush(*producer_, abandoned_);
  for (const DeliveryReport& report : reports) {
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) error = report.error;
  }
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return;
  producer_.reset();
  throw Failure(Exit::kUnavailable, fmt::format("not all deletes could be written to the topic {} "
                                                "({}): some may be there. Resend all of them",
                                                options_.output_topic, rd_kafka_err2str(error)));
}

}  // namespace neardup
