// The service's side of control requests: the handlers under /v1/control, the file by which
// commands find the service (control_file.h), and the tasks for the thread that owns the state.
//
// POST, JSON in; docs/formats/control.md lists them. An error is {"error":…,"status":…}, status
// being the exit status that the command would end with.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/service_options.h"
#include "pipeline/rule/rule.h"
#include "pipeline/state_tasks.h"
#include "service/control/control_file.h"
#include "service/control/service_backups.h"
#include "service/control/shared.h"
#include "service/http/health.h"
#include "service/http/route.h"
#include "service/records/recent_flags.h"
#include "service/state/delete_documents.h"

namespace neardup {

class Control {
 public:
  // `state`: the directory. `rule`: what the service decides by. All references must outlive this.
  Control(const BackupOptions& backup, const std::string& state, const Rule& rule,
          const Health& health, Log& log);

  // Adds the routes under /v1/control. Requires: their server is destroyed before this.
  void add_routes(HttpRoutes& routes);

  // The directory of the state.
  const std::string& state() const { return state_; }

  // The token of this run, which may write.
  const std::string& token() const { return token_; }

  // A state that requests may ask for, and the control file with the service's address.
  struct OpenState {
    OpenState(const std::string& state, const ControlAddress& address, SharedStore& shared,
              Store& opened)
        : file(state, address), store(shared, opened) {}

    ControlFile file;
    OpenShared<Store> store;
  };
  // To be called when the state is open: completes the file of its delete log, removes an old
  // checkpoint, and publishes `url` and the store as long as the result lives.
  std::unique_ptr<OpenState> state_opened(const std::string& url, Store& store);

  // While a restored state replays delivered records, deletes are refused.
  void set_catching_up(bool catching_up) { catching_up_ = catching_up; }

  // To be run by the thread that owns the state: tasks() between two batches, reads() between two
  // chunks.
  StateTasks& tasks() { return tasks_; }
  StateTasks& reads() { return reads_; }

  // Runs `work` in that thread, and waits for it. Throws Failure(kUnavailable) with the reason when
  // that cannot be, and what `work` throws.
  void on_state(const StateTasks::Work& work);
  void read_state(const StateTasks::Work& work);
  void checkpoint_now();

  // The state follows the log of a cluster alone: ids are deleted by records in its input, which
  // are written by what is open here. To be called before the first request.
  using DeleteWriter =
      std::function<void(const std::string& name_space, const std::vector<std::string>& ids)>;
  void delete_by_input() { deletes_by_input_ = true; }
  Shared<const DeleteWriter>& delete_writer() { return delete_writer_; }

  // Deletes ids, by `on_state`; or writes that they are to be deleted, and reports what that means
  // now. Throws Failure(kUnavailable) while the state catches up, too.
  DeleteReport delete_ids(const std::string& name_space, const std::vector<std::string>& ids);

  // For requests that are answered concurrently with the thread that owns the state.
  Searches& searches() { return searches_; }
  SharedStore& store() { return store_; }
  RecentFlags& flags() { return flags_; }

  // Ids deleted by this service so far; any thread.
  std::uint64_t deleted() const { return deleted_; }

  const ServiceBackups& backups() const { return backups_; }

 private:
  HttpAnswer answer(const std::function<HttpAnswer()>& request) const;
  DeleteReport write_deletes(const std::string& name_space, const std::vector<std::string>& ids);
  void run_in(StateTasks& tasks, const StateTasks::Work& work);
  HttpAnswer rule(const std::string& body);
  HttpAnswer stats(const std::string& body);
  HttpAnswer erase(const std::string& body);
  HttpAnswer explain(const std::string& body);
  HttpAnswer checkpoint(const std::string& body);
  HttpAnswer backup(const std::string& body);
  HttpAnswer similar(const std::string& body);

  const std::string state_;
  const Rule& rule_;
  const Health& health_;
  const std::string token_ = new_token();
  StateTasks tasks_;
  StateTasks reads_;
  Searches searches_;
  SharedStore store_;
  RecentFlags flags_;
  bool deletes_by_input_ = false;
  Shared<const DeleteWriter> delete_writer_;
  std::atomic<bool> catching_up_{false};
  std::atomic<std::uint64_t> deleted_{0};
  ServiceBackups backups_;
};

}  // namespace neardup
