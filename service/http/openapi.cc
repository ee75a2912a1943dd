#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "service/http/route.h"

namespace neardup {
namespace {

class DocumentWriter {
 public:
  void key(std::string_view name) {
    json_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
  }
  void begin(std::string_view name) {
    key(name);
    json_.StartObject();
  }
  void begin() { json_.StartObject(); }
  void end() { json_.EndObject(); }
  void begin_list(std::string_view name) {
    key(name);
    json_.StartArray();
  }
  void end_list() { json_.EndArray(); }
  void text(std::string_view name, std::string_view value) {
    key(name);
    json_.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  }
  void words(std::string_view name, const std::vector<std::string>& values) {
    begin_list(name);
    for (const std::string& value : values)
      json_.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
    end_list();
  }
  void number(std::string_view name, std::uint64_t value) {
    key(name);
    json_.Uint64(value);
  }
  void yes(std::string_view name) {
    key(name);
    json_.Bool(true);
  }
  std::string str() const { return {buffer_.GetString(), buffer_.GetSize()}; }

 private:
  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> json_{buffer_};
};

// Of the content of a body.
std::string_view schema_type(std::string_view type) {
  return type == kJsonType || type == kYamlType ? "object" : "string";
}

bool in_path(const HttpParameter& parameter, const HttpRoute& route) {
  return route.path.find('{' + parameter.name + '}') != std::string::npos;
}

// What every route of its kind may answer besides its own statuses.
std::set<int> statuses(const HttpRoute& route) {
  std::set<int> all(route.problems.begin(), route.problems.end());
  all.insert({400, 408, 431});
  if (route.access != HttpAccess::kOpen) all.insert({401, 403});
  if (route.takes_body() && !route.open) all.insert({413, 415});
  if (route.thread != HttpThread::kPort) all.insert({500, 503});
  return all;
}

void write_media_type(std::string_view type, DocumentWriter& out) {
  out.begin(type);
  out.begin("schema");
  out.text("type", schema_type(type));
  out.end();
  out.end();
}

void write_content(std::string_view type, DocumentWriter& out) {
  out.begin("content");
  write_media_type(type, out);
  out.end();
}

void write_problem(DocumentWriter& out) {
  out.begin("content");
  out.begin("application/problem+json");
  out.begin("schema");
  out.text("$ref", "#/components/schemas/Problem");
  out.end();
  out.end();
  out.end();
}

// `in`: the part of the request that has it.
void write_parameter(const HttpParameter& parameter, std::string_view in, DocumentWriter& out) {
  const bool path = in == "path";
  out.begin();
  out.text("name", parameter.name);
  out.text("in", in);
  if (path) out.yes("required");
  out.text("description", parameter.about);
  out.begin("schema");
  if (parameter.kind == HttpParameter::Kind::kNumber) {
    out.text("type", "integer");
    out.number("minimum", parameter.least);
    out.number("maximum", parameter.most);
  } else {
    out.text("type", "string");
    if (path) out.number("minLength", 1);
    if (!parameter.words.empty()) out.words("enum", parameter.words);
  }
  out.end();
  out.end();
}

void write_parameters(const HttpRoute& route, DocumentWriter& out) {
  if (route.parameters.empty() && route.fields.empty()) return;
  out.begin_list("parameters");
  for (const HttpParameter& parameter : route.parameters)
    write_parameter(parameter, in_path(parameter, route) ? "path" : "query", out);
  for (const HttpParameter& field : route.fields) write_parameter(field, "header", out);
  out.end_list();
}

void write_answer(const char* status, std::string_view about, const HttpRoute& route,
                  DocumentWriter& out) {
  out.begin(status);
  out.text("description", about);
  out.begin("content");
  write_media_type(route.gives, out);
  if (!route.feeds.empty()) write_media_type(route.feeds, out);
  out.end();
  out.end();
}

void write_responses(const HttpRoute& route, DocumentWriter& out) {
  out.begin("responses");
  write_answer("200", "The answer.", route, out);
  if (!route.accepted.empty()) write_answer("202", route.accepted, route, out);
  if (!route.unchanged.empty()) {
    out.begin("304");
    out.text("description", route.unchanged);
    out.end();
  }
  for (const int status : statuses(route)) {
    out.begin(std::to_string(status));
    // Probes answer their 503 in lines of text.
    const bool lines = status == 503 && route.access == HttpAccess::kOpen;
    out.text("description", lines ? "The reasons, a line each." : status_phrase(status));
    if (lines) {
      write_content(route.gives, out);
    } else {
      write_problem(out);
    }
    out.end();
  }
  out.end();
}

void write_operation(const HttpRoute& route, const std::string& sent, DocumentWriter& out) {
  std::string method = sent;
  std::ranges::transform(method, method.begin(), [](unsigned char c) { return std::tolower(c); });
  out.begin(method);
  out.text("operationId",
           sent == route.methods.front() ? route.name : route.name + "_by_" + method);
  out.text("summary", route.about);
  if (route.access != HttpAccess::kOpen) {
    out.begin_list("security");
    if (route.access == HttpAccess::kRead) {
      out.begin();
      out.end();
    }
    out.begin();
    out.begin_list("token");
    out.end_list();
    out.end();
    out.end_list();
  }
  write_parameters(route, out);
  if (route.takes_body()) {
    out.begin("requestBody");
    out.yes("required");
    out.begin("content");
    for (const std::string& type : route.takes) write_media_type(type, out);
    out.end();
    out.end();
  }
  write_responses(route, out);
  out.end();
}

void write_components(DocumentWriter& out) {
  out.begin("components");
  out.begin("securitySchemes");
  out.begin("token");
  out.text("type", "http");
  out.text("scheme", "bearer");
  out.end();
  out.end();
  out.begin("schemas");
  out.begin("Problem");
  out.text("type", "object");
  out.text("description", "RFC 9457");
  out.begin("properties");
  for (const std::string_view name : {"type", "title", "detail", "reason"}) {
    out.begin(name);
    out.text("type", "string");
    out.end();
  }
  for (const std::string_view name : {"status", "exit"}) {
    out.begin(name);
    out.text("type", "integer");
    out.end();
  }
  out.end();
  out.end();
  out.end();
  out.end();
}

}  // namespace

std::string openapi_json(const HttpRoutes& routes, const std::string& version) {
  std::map<std::string_view, std::vector<const HttpRoute*>> by_path;
  for (const HttpRoute& route : routes) by_path[route.path].push_back(&route);
  DocumentWriter out;
  out.begin();
  out.text("openapi", "3.1.0");
  out.begin("info");
  out.text("title", "neardup");
  out.text("version", version);
  out.end();
  out.begin("paths");
  for (const auto& [path, operations] : by_path) {
    out.begin(path);
    for (const HttpRoute* route : operations) {
      for (const std::string& method : route->methods) write_operation(*route, method, out);
    }
    out.end();
  }
  out.end();
  write_components(out);
  out.end();
  return out.str() + "\n";
}

}  // namespace neardup
