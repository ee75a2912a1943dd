#include "service/api/compare_route.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <optional>
#include <utility>

#include "gpu/cpu/cpu_backend.h"
#include "pipeline/core/failure.h"
#include "service/api/failures.h"
#include "service/http/problem.h"
#include "service/state/comparison.h"

namespace neardup {
namespace {

using simdjson::dom::element;

Side side_of(const element& value, std::string_view which, const Rule& rule, Backend& backend) {
  auto side = side_of_text(std::string(which), value["text"].get_string(), rule, backend);
  if (side) return std::move(*side);
  throw Failure(Exit::kUsage, fmt::format("{}: the text is larger than text.max_bytes ({})", which,
                                          rule.text.max_bytes));
}

// A text is an id, an object has a text.
HttpAnswer compare(Control& control, const Config& config, const Rule& rule,
                   const std::string& body) {
  simdjson::dom::parser parser;
  const element root = parser.parse(simdjson::padded_string(body));
  std::string name_space;
  if (root["namespace"].error() != simdjson::NO_SUCH_FIELD)
    name_space = std::string_view(root["namespace"]);
  const auto backend = make_cpu_backend({.threads = 1, .simd = config.cpu.simd}, rule.plan);
  const auto side = [&](std::string_view which) {
    const element value = root[which];
    if (!value.is_string()) return side_of(value, which, rule, *backend);
    const std::string id{std::string_view(value)};
    std::optional<Side> stored;
    control.read_state(
        [&](StateAccess& state) { stored = side_of_id(id, name_space, state.store()); });
    return std::move(*stored);
  };
  Comparison comparison{side("a"), side("b"), rule};
  return {200, comparison_json(comparison) + "\n", kJsonType};
}

HttpAnswer answer(Control& control, const Config& config, const Rule& rule,
                  const std::string& body) {
  try {
    return compare(control, config, rule, body);
  } catch (const simdjson::simdjson_error& error) {
    return problem(
        400, "wrong_request",
        fmt::format("the body is not understood ({}): send {{\"a\":…,\"b\":…}}, an id or "
                    "{{\"text\":…}} each",
                    error.what()));
  } catch (const Failure& failure) {
    if (failure.exit() != Exit::kUsage) throw;
    return problem(422, "no_answer", failure.what());
  }
}

}  // namespace

HttpRoute compare_route(Control& control, const Config& config, const Rule& rule) {
  return {.methods = {"POST"},
          .path = "/v1/compare",
          .access = HttpAccess::kRead,
          .thread = HttpThread::kControl,
          .answer =
              [&](const HttpRequest& request) {
                return answered([&] { return answer(control, config, rule, request.body); });
              },
          .name = "compare",
          .about =
              "Two documents side by side, each the id of a stored one or a text: what the "
              "sketches say, and, where both texts are there, their exact similarity and the "
              "passages that they share or not.",
          .takes = kJsonType,
          .gives = kJsonType,
          .problems = {422}};
}

}  // namespace neardup
