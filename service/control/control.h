// What a running service does for commands on its state: the requests under /v1/control, the file
// that tells where they go (control_file.h), and the way to the thread that owns the state.
//
// POST, JSON in; docs/formats/control.md lists them. An error is {"error":…,"status":…}, status
// being the exit status that the command would end with.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "config/service_options.h"
#include "pipeline/state_tasks.h"
#include "service/control/control_file.h"
#include "service/control/service_backups.h"
#include "service/http/handlers.h"
#include "service/http/health.h"

namespace neardup {

class Control {
 public:
  // `state`: the directory. All references must outlive this.
  Control(const HttpOptions& options, const BackupOptions& backup, const std::string& state,
          const Health& health, Log& log);

  // The requests. Requires: the server ends before this.
  HttpControl http();

  // The state is open: puts in order what commands have left in its directory, and tells them the
  // way to the service at `url`, as long as the result lives.
  std::unique_ptr<ControlFile> state_opened(const std::string& url, Store& store);

  // The state is an older copy that decides again what was delivered: nothing may change it.
  void set_catching_up(bool catching_up) { catching_up_ = catching_up; }

  StateTasks& tasks() { return tasks_; }

  // Documents deleted so far; any thread.
  std::uint64_t deleted() const { return deleted_; }

  const ServiceBackups& backups() const { return backups_; }

 private:
  HttpAnswer answer(const std::function<HttpAnswer()>& request) const;
  void on_state(const StateTasks::Work& work);
  HttpAnswer stats(const std::string& body);
  HttpAnswer erase(const std::string& body);
  HttpAnswer explain(const std::string& body);
  HttpAnswer checkpoint(const std::string& body);
  HttpAnswer backup(const std::string& body);

  const HttpOptions& options_;
  const std::string state_;
  const Health& health_;
  const std::string token_ = new_token();
  StateTasks tasks_;
  std::atomic<bool> catching_up_{false};
  std::atomic<std::uint64_t> deleted_{0};
  ServiceBackups backups_;
};

}  // namespace neardup
