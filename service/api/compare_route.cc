#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/api/failures.h"
#include "service/api/routes.h"
#include "service/http/message/problem.h"
#include "service/state/comparison.h"

namespace neardup {
namespace {

using simdjson::dom::element;

// What a comparison asks for.
struct Asked {
  Control& control;
  const Config& config;
  const Rule& rule;
  const KafkaText& kafka_text;
};

std::string text_of_source(const element& source, const Asked& asked) {
  const std::string topic{std::string_view(source["topic"])};
  const std::uint64_t partition = source["partition"];
  const std::uint64_t offset = source["offset"];
  const auto& topics = asked.config.kafka.topics;
  if (!asked.kafka_text || std::ranges::find(topics, topic) == topics.end())
    throw Failure(Exit::kUsage, topic + ": the service does not read this topic");
  if (partition > INT32_MAX || offset > INT64_MAX)
    throw Failure(Exit::kUsage, topic + ": no such partition or offset");
  return asked.kafka_text({topic, static_cast<std::int32_t>(partition)},
                          static_cast<std::int64_t>(offset));
}

// A text is an id; an object has a text, or the source of one.
Side side_of(const element& root, std::string_view which, const Asked& asked) {
  const element value = root[which];
  if (value.is_string()) {
    std::string name_space;
    if (root["namespace"].error() != simdjson::NO_SUCH_FIELD)
      name_space = std::string_view(root["namespace"]);
    const std::string id{std::string_view(value)};
    std::optional<Side> stored;
    asked.control.read_state(
        [&](StateAccess& state) { stored = side_of_id(id, name_space, state.store()); });
    return std::move(*stored);
  }
  const bool has_source = value["source"].error() != simdjson::NO_SUCH_FIELD;
  const std::string text = has_source ? text_of_source(value["source"], asked)
                                      : std::string(std::string_view(value["text"]));
  if (auto side = side_of_text(std::string(which), text, asked.rule)) return std::move(*side);
  throw Failure(Exit::kUsage, fmt::format("{}: the text is larger than text.max_bytes ({})", which,
                                          asked.rule.text.max_bytes));
}

HttpAnswer compare(const Asked& asked, const std::string& body) {
  simdjson::dom::parser parser;
  const element root = parser.parse(simdjson::padded_string(body));
  Side a = side_of(root, "a", asked);
  Side b = side_of(root, "b", asked);
  const Comparison comparison =
      make_comparison(std::move(a), std::move(b), asked.rule, asked.config.cpu.simd);
  bool texts = false;
  if (root["texts"].error() != simdjson::NO_SUCH_FIELD) texts = root["texts"];
  return {200, comparison_json(comparison, {.text_bytes = texts ? kWholeTexts : 0}) + "\n",
          kJsonType};
}

HttpAnswer answer(const Asked& asked, const std::string& body) {
  try {
    return compare(asked, body);
  } catch (const simdjson::simdjson_error& error) {
    return problem(400, "wrong_request",
                   fmt::format("malformed body ({}): send {{\"a\":…,\"b\":…}}, an id, "
                               "{{\"text\":…}} or {{\"source\":…}} each",
                               error.what()));
  } catch (const Failure& failure) {
    if (failure.exit() != Exit::kUsage && failure.exit() != Exit::kUnreadable) throw;
    return problem(422, "no_answer", failure.what());
  }
}

}  // namespace

HttpRoute compare_route(Control& control, const Config& config, const Rule& rule,
                        KafkaText kafka_text) {
  return {
      .methods = {"POST"},
      .path = "/v1/compare",
      .access = HttpAccess::kRead,
      .thread = HttpThread::kControl,
      .answer =
          [&, kafka_text = std::move(kafka_text)](const HttpRequest& request) {
            return answered([&] {
              return answer({control, config, rule, kafka_text}, request.body);
            });
          },
      .name = "compare",
      .about =
          "Compares two documents, each the id of a stored one, a text, or the source of a flag in "
          "a topic that the service reads: the estimate of their sketches, and, where both texts "
          "are available, the exact similarity and the shared and differing passages.",
      .takes = {kJsonType},
      .gives = kJsonType,
      .problems = {422}};
}

}  // namespace neardup
