#include "service/ingest/documents_port.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include "pipeline/base/utf8.h"
#include "service/http/message/problem.h"

namespace neardup {
namespace {

constexpr const char* kTextType = "text/plain";
constexpr unsigned kLongestWait = 300;                       // seconds
constexpr std::size_t kMostWaiting = std::size_t{16} << 20;  // bytes of bodies

HttpAnswer closed() {
  return problem(503, "closed", "the service is not accepting documents: retry later");
}

HttpAnswer crowded() {
  return problem(429, "too_many_requests", "too many open requests of this kind: retry later");
}

}  // namespace

class DocumentUpload : public HttpUpload {
 public:
  // `waiting`: where it is while it waits for its client.
  DocumentUpload(BodyQueue& queue, OpenRequests& requests, std::list<DocumentUpload*>& waiting,
                 std::shared_ptr<DocumentRequest> request)
      : queue_(queue), requests_(requests), waiting_(waiting), request_(std::move(request)) {
    wait_for_client();
  }
  ~DocumentUpload() override { waiting_.remove(this); }

  Taken take(std::string bytes, const Resume& resume) override {
    if (given_up_) return Taken::kRefused;
    waiting_.remove(this);
    switch (queue_.push({request_, std::move(bytes), BodyPiece::Kind::kMore}, resume)) {
      case BodyQueue::Pushed::kRoom:
        wait_for_client();
        return Taken::kMore;
      case BodyQueue::Pushed::kFull:
        return Taken::kWait;
      case BodyQueue::Pushed::kClosed:
        break;
    }
    return Taken::kRefused;
  }

  HttpAnswer refusal() const override { return given_up_ ? crowded() : closed(); }

  void end(Done done) override {
    if (given_up_) return done(crowded());
    request_->wait(std::move(done));
    push_end(BodyPiece::Kind::kLast);
  }

  void abandon() override {
    if (given_up_) return;
    request_->abandon();
    push_end(BodyPiece::Kind::kAbandoned);
  }

  // Another request takes its place.
  void give_up() {
    abandon();
    given_up_ = true;
  }

 private:
  void wait_for_client() { waiting_.push_back(this); }

  void push_end(BodyPiece::Kind kind) {
    waiting_.remove(this);
    if (queue_.push({request_, {}, kind}, {}) != BodyQueue::Pushed::kClosed) return;
    request_->fail(closed());
    requests_.remove(request_->number());
  }

  BodyQueue& queue_;
  OpenRequests& requests_;
  std::list<DocumentUpload*>& waiting_;
  const std::shared_ptr<DocumentRequest> request_;
  bool given_up_ = false;
};

namespace {

// "30s" or "30"; "" is none. Nothing: it is no time, or too long.
std::optional<std::chrono::seconds> wait_time(std::string_view text) {
  unsigned count = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  if (text.empty()) return std::chrono::seconds(0);
  if (error != std::errc{} || count > kLongestWait) return {};
  if (rest != end && std::string_view(rest, end) != "s") return {};
  return std::chrono::seconds(count);
}

BodyForm body_form(const HttpRequest& request) {
  if (request.type == kJsonType) return BodyForm::kWhole;
  if (request.type == kTextType && request.has("id")) return BodyForm::kText;
  return BodyForm::kLines;
}

const HttpParameter kId{.name = "id", .about = "With text/plain: the body is the text of this id."};
const HttpParameter kNamespace{.name = "namespace", .about = "The namespace of that id."};
const HttpParameter kOnly{.name = "only",
                          .about = "Statuses, separated by commas: only their flags are sent."};

const HttpParameter kRule{
    .name = "Neardup-Rule",
    .about = "The required rule: a service with another one rejects the request."};
const HttpParameter kEncoding{.name = "Content-Encoding",
                              .about = "`gzip` or `zstd`, with a window of 8 MiB at most."};

const HttpParameter kWait{.name = "wait",
                          .about =
                              "With `source: kafka`: how long the response waits for the flags, at "
                              "most 300 seconds; `30s` or `30`."};

// What the requests for storing and for checking have in common.
HttpRoute upload_route(DocumentsPort& port, std::string_view path, HttpAccess access) {
  return {.methods = {"POST", "PUT"},  // `curl -T` sends PUT
          .path = std::string(path),
          .access = access,
          .open = port.opener(),
          .parameters = {kId, kNamespace, kOnly},
          .fields = {kRule, kEncoding},
          .takes = {kJsonLinesType, kJsonType, kTextType},
          .gives = kJsonLinesType,
          .problems = {412, 415, 500, 503}};
}

}  // namespace

DocumentsPort::DocumentsPort(std::uint64_t max_record_bytes, std::string rule, SpoolBudget& budget,
                             Limits limits, Answers answers)
    : max_record_bytes_(max_record_bytes),
      rule_(std::move(rule)),
      budget_(budget),
      limits_(limits),
      answers_(answers),
      queue_(kMostWaiting) {}

std::function<HttpRoute::Opened(const RequestHead&, const HttpRequest&)> DocumentsPort::opener() {
  return
      [this](const RequestHead& head, const HttpRequest& request) { return begin(head, request); };
}

HttpRoute::Opened DocumentsPort::begin(const RequestHead& head, const HttpRequest& request) {
  if (auto why = refusal(head, request.type)) return std::move(*why);
  const std::optional<BodyCoding> coding = coding_of(head.encoding);
  if (!coding) {
    return problem(415, "unknown_encoding",
                   "unsupported Content-Encoding: send gzip, zstd, or the text itself");
  }
  const std::optional<StatusSet> only = status_set(request.text("only"));
  if (!only) return problem(400, "wrong_parameter", "only: " + status_set_help());
  const auto wait = wait_time(request.text("wait"));
  if (!wait) {
    return problem(400, "wrong_parameter",
                   fmt::format("wait: give seconds, at most {}, such as 30s", kLongestWait));
  }
  const bool positions = answers_ == Answers::kPositions;
  const RequestForm form{.body = body_form(request),
                         .coding = *coding,
                         .key = {request.text("namespace"), request.text("id")},
                         .only = *only,
                         .most_bytes = limits_.answer,
                         .positions = positions,
                         .wait = positions ? *wait : std::chrono::seconds(0)};
  if (form.body != BodyForm::kText && (request.has("id") || request.has("namespace"))) {
    return problem(400, "wrong_parameter",
                   "id and namespace in the query name a text: send it as text/plain, or put them "
                   "into the records");
  }
  if (!valid_utf8(form.key.id) || !valid_utf8(form.key.name_space))
    return problem(400, "wrong_parameter", "id and namespace must be UTF-8");
  if (requests_.size() >= limits_.requests && !make_room()) return crowded();
  return std::make_shared<DocumentUpload>(queue_, requests_, waiting_,
                                          requests_.open(form, max_record_bytes_, budget_));
}

std::optional<HttpAnswer> DocumentsPort::refusal(const RequestHead& head,
                                                 std::string_view type) const {
  if (type.starts_with("multipart/"))
    return problem(415, "multipart", "send the documents as the body itself: curl -T FILE");
  if (!head.rule.empty() && head.rule != rule_) {
    return problem(
        412, "other_rule",
        fmt::format("the rule of the service is {}, and the request is for {}", rule_, head.rule));
  }
  return {};
}

bool DocumentsPort::make_room() {
  if (waiting_.empty()) return false;
  waiting_.front()->give_up();
  return true;
}

void DocumentsPort::fail() {
  close();
  requests_.fail(problem(503, "ended",
                         "the service ended before all flags were committed: resend the documents; "
                         "stored ones are `unchanged`"));
}

HttpRoute documents_route(DocumentsPort& port) {
  HttpRoute route = upload_route(port, kDocumentsPath, HttpAccess::kWrite);
  route.name = "add_documents";
  route.about =
      "Decides documents, one JSON object a line, and answers with their flags in the same order, "
      "once they are on disk. With `source: kafka`: writes them to the first of `kafka.topics`.";
  route.accepted =
      "With `source: kafka`: the documents are in their topic, and each line has the position of "
      "one. Their flags will be in the output topic.";
  route.parameters.push_back(kWait);
  return route;
}

HttpRoute check_route(DocumentsPort& port) {
  HttpRoute route = upload_route(port, kCheckPath, HttpAccess::kRead);
  route.name = "check_documents";
  route.about = "The flag that each document would get if it arrived next. Nothing is stored.";
  route.problems.insert(route.problems.end(), {413, 429});
  return route;
}

}  // namespace neardup
