#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "pipeline/base/failure.h"
#include "pipeline/model/text_batch.h"
#include "service/kafka/start/delivered_order.h"
#include "service/kafka/start/delivered_topic.h"

namespace neardup {
namespace {

enum Place : std::size_t { kSeq, kRule, kTopic, kPartition, kOffset };

std::span<const std::string> pointers() {
  static const std::array<std::string, 5> kPointers{"/seq", "/rule", "/source/topic",
                                                    "/source/partition", "/source/offset"};
  return kPointers;
}

template <class Number>
bool parse_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Names of topics and rules need no escapes.
std::string unquoted(std::string_view token) {
  if (token.size() < 2 || token.front() != '"') return {};
  return std::string(token.substr(1, token.size() - 2));
}

class OutputOrder : public DeliveredOrder {
 public:
  OutputOrder(const Consumer& consumer, const std::string& topic, const Assignment& assignment,
              RuleStamp rule, Seq first, Seq last, RetryPolicy& retry)
      : topic_(topic),
        assignment_(assignment),
        rule_(std::move(rule)),
        first_(first),
        last_(last),
        delivered_(
            consumer, topic, first, [this](const auto& message) { return parse(message); }, retry),
        merge_(topic, delivered_.partitions(), first, last,
               [this](std::size_t partition) { return delivered_.read(partition); }) {}

  DeliveredRecord next() override {
    DeliveredPiece piece = merge_.next();
    return {.seq = piece.first,
            .source = std::move(piece.source),
            .flag = std::move(piece.value),
            .chain = {},
            .places = {}};
  }

 private:
  std::optional<DeliveredPiece> parse(const rd_kafka_message_t& message) {
    if (message.payload == nullptr) return {};
    const std::string_view json = value_of(message);
    std::optional<FlagPlace> place = places_.read(json);
    if (!place || !assignment_.has(place->source.partition)) return {};
    if (place->seq >= first_ && place->seq < last_) require_rule(*place);
    return DeliveredPiece{.first = place->seq,
                          .next = place->seq + 1,
                          .value = std::string(json),
                          .source = std::move(place->source)};
  }

  void require_rule(const FlagPlace& place) const {
    if (place.rule == rule_.fingerprint) return;
    throw Failure(
        Exit::kUnavailable,
        fmt::format("the flag of seq {} in topic {} was given under rule {}, the state has rule "
                    "{}: it would not repeat the flags that were delivered up to seq {}. Restore a "
                    "copy of the state made after `neardup migrate`, or build a new one with "
                    "another kafka.group_id and a separate output topic.",
                    place.seq, topic_, place.rule, rule_.fingerprint, last_ - 1));
  }

  const std::string topic_;
  const Assignment assignment_;
  const RuleStamp rule_;
  const Seq first_;
  const Seq last_;
  FlagPlaceReader places_;
  DeliveredTopic delivered_;
  DeliveredMerge merge_;
};

}  // namespace

FlagPlaceReader::FlagPlaceReader() : fields_(pointers()) {}

std::optional<FlagPlace> FlagPlaceReader::read(std::string_view json) {
  padded_.assign(json).append(kTextPadding, '\0');
  if (fields_.find(std::string_view(padded_).substr(0, json.size())) != FieldsError::kNone) {
    return {};
  }
  FlagPlace place;
  place.rule = unquoted(fields_.token(kRule));
  place.source.partition.topic = unquoted(fields_.token(kTopic));
  if (place.rule.empty() || place.source.partition.topic.empty()) return {};
  if (!parse_number(fields_.token(kSeq), place.seq) ||
      !parse_number(fields_.token(kPartition), place.source.partition.partition) ||
      !parse_number(fields_.token(kOffset), place.source.offset)) {
    return {};
  }
  return place;
}

std::unique_ptr<DeliveredOrder> make_output_order(const Consumer& consumer,
                                                  const std::string& topic,
                                                  const Assignment& assignment, RuleStamp rule,
                                                  Seq first, Seq last, RetryPolicy& retry) {
  return std::make_unique<OutputOrder>(consumer, topic, assignment, std::move(rule), first, last,
                                       retry);
}

}  // namespace neardup
