#include "config/show.h"
#include "pipeline/base/json_object.h"
#include "service/api/routes.h"
#include "service/http/route.h"
#include "service/state/state_report.h"

namespace neardup {
namespace {

std::string fingerprint_and_settings(const Rule& rule) {
  const std::string text = rule_text(rule);
  JsonObject json;
  json.text("rule", rule_fingerprint(text)).json("rule_text", rule_json(text));
  return json.str() + "\n";
}

HttpRoute constant(const char* path, const char* type, std::string body, const char* name,
                   const char* about) {
  return {.methods = {"GET"},
          .path = path,
          .access = HttpAccess::kRead,
          .answer =
              [type, body = std::move(body)](const HttpRequest&) {
                return HttpAnswer{200, body, type};
              },
          .name = name,
          .about = about,
          .gives = type};
}

}  // namespace

void add_about_routes(const Config& config, const Rule& rule, const std::string& version,
                      HttpRoutes& routes) {
  routes.push_back(constant("/v1/rule", kJsonType, fingerprint_and_settings(rule), "rule",
                            "The settings that decide a flag, and their hash, which is in every "
                            "flag."));
  routes.push_back(constant("/v1/config", kYamlType, show_config(config), "config",
                            "All settings of the service, without secrets, as `config show` "
                            "prints them."));
  routes.push_back(constant("/openapi.json", kJsonType, "", "openapi", "This document."));
  const std::string document = openapi_json(routes, version);
  routes.back().answer = [document](const HttpRequest&) {
    return HttpAnswer{200, document, kJsonType};
  };
}

HttpRoute history_route(const History& history) {
  return {.methods = {"GET"},
          .path = "/v1/history",
          .access = HttpAccess::kRead,
          .answer =
              [&history](const HttpRequest& request) {
                const auto after = static_cast<std::int64_t>(request.number("after", 0));
                return HttpAnswer{200, history.json(after) + "\n", kJsonType};
              },
          .name = "history",
          .about =
              "Metrics of the last 15 minutes, a sample every five seconds: counts since the "
              "start, delay, lag, estimated precision and recall, the size of the state.",
          .parameters = {{.name = "after",
                          .about = "Samples after this time_ms; default 0.",
                          .kind = HttpParameter::Kind::kNumber}},
          .gives = kJsonType};
}

}  // namespace neardup
