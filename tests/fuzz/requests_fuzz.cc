// Bodies of requests about a state, which is empty: the first byte picks the path. Each gets an
// answer, or a problem of a status that the OpenAPI document names; none a 500.
#include <atomic>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>

#include "pipeline/rule/index_entry.h"
#include "service/api/routes.h"
#include "service/cli/setup.h"
#include "service/http/router.h"
#include "service/search/service_searches.h"
#include "service/state/settings.h"
#include "storage/memory_store.h"
#include "tests/fuzz/request_feed.h"
#include "tests/scratch_directory.h"

namespace neardup {
namespace {

constexpr const char* kToken = "0123456789abcdef";
constexpr std::string_view kTargets[] = {
    "/v1/compare",         "/v1/similar",         "/v1/control/stats",  "/v1/control/delete",
    "/v1/control/explain", "/v1/control/similar", "/v1/control/backup", "/v1/control/checkpoint"};

// The deciding thread, as far as tasks see it.
class Owner {
 public:
  Owner(StateTasks& tasks, StateTasks& reads, StateAccess& state)
      : tasks_(tasks, [this] { wake(); }), reads_(reads, [this] { wake(); }), thread_([&, this] {
          while (!stop_) {
            const unsigned seen = wakes_;
            tasks.do_all(state);
            reads.do_all(state);
            wakes_.wait(seen);
          }
        }) {}
  ~Owner() {
    stop_ = true;
    wake();
    thread_.join();
  }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

 private:
  void wake() {
    ++wakes_;
    wakes_.notify_one();
  }

  std::atomic<unsigned> wakes_{0};
  std::atomic<bool> stop_{false};
  AcceptStateTasks tasks_;
  AcceptStateTasks reads_;
  std::thread thread_;
};

class Service {
 public:
  Service() { store_->set_index(IndexEntryMaker(rule_.plan)); }

  HttpAnswer answer(std::string_view path, std::string_view type, const std::string& body) {
    RequestHead head;
    head.method = "POST";
    head.path = path;
    head.type = type;
    head.authorization = std::string("Bearer ") + kToken;
    head.has_body = true;
    const HttpTurn turn = router_.turn(head);
    require(!turn.refusal && turn.takes_body);
    return turn.answer(body);
  }

 private:
  static HttpGuard guard() {
    HttpGuard guard;
    guard.set_writers({kToken});
    return guard;
  }
  HttpRoutes routes() {
    HttpRoutes routes{compare_route(control_, config_, rule_, {}),
                      similar_route(control_.searches(), config_.search, budget_)};
    control_.add_routes(routes);
    return routes;
  }

  const Config config_;
  const Rule rule_ = make_rule(config_);
  const std::unique_ptr<Store> store_ = open_memory_store({}, OpenMode::kReadWrite);
  OwnState state_{*store_};
  Health health_;
  Log log_{LogOptions{}, [](std::string_view) {}, std::chrono::system_clock::now};
  const ScratchDirectory directory_;
  Control control_{config_.backup, directory_.path(), rule_, health_, log_};
  SpoolBudget budget_{{1 << 20, 1 << 30, directory_.path()}};
  ServiceSearches searches_{*store_, rule_, config_, control_, [](const NoticeCounts&) {}, log_};
  HttpRouter router_{routes(), guard()};
  Owner owner_{control_.tasks(), control_.reads(), state_};
};

}  // namespace
}  // namespace neardup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static neardup::Service service;
  if (size == 0) return 0;
  const std::string body(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view path = neardup::kTargets[data[0] % std::size(neardup::kTargets)];
  for (const char* type : {"application/json", "text/plain"}) {
    const neardup::HttpAnswer answer = service.answer(path, type, body);
    const bool problem = answer.type == "application/problem+json";
    neardup::require(problem == (answer.status != 200));
    // 503: there is no backup of that name.
    neardup::require(!problem || answer.status == 400 || answer.status == 422 ||
                     answer.status == 503);
  }
  return 0;
}
