// Rows of Parquet inputs by what became of them: for each input and kind a part, FOLDER/NAME, with
// the name, the schema, the metadata and some of the rows of the input (docs/files.md).
//
// While rows are decided, only their statuses are kept, in the state. Once an input was read to its
// end and that is committed, threads read it a second time and write its parts as NAME.new, which
// are synced and renamed; then the statuses are erased. A part that has its name is whole and is
// not opened again. After a crash a later run writes the parts that are missing from the statuses.
//
//   meta key  emit_parts/<kind>           the absolute path of its folder, for mask, too
//   meta key  emit_input/<path>           input_position.h
//   meta key  emit_rows/<path>/<first>    a zstd frame: for each row from the <first> on (16 hex
//                                         digits, from 1) '0' + its place in kStatusNames; a piece
//                                         for each batch
//   meta key  emit_part/<name>            the absolute path of the input of whole parts of this
//                                         name
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <future>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/arrow_library.h"
#include "service/file/codec.h"
#include "service/file/emit_files.h"
#include "service/file/ended_input.h"
#include "service/file/record_reader.h"
#include "storage/control_group.h"
#include "storage/files.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostTasks = 4;  // each takes some pages of memory

[[noreturn]] void refuse(Exit exit, std::string what) { throw Failure(exit, std::move(what)); }

bool is_same(const EndedInput& ended) {
  try {
    return parquet_mark(ended.path) == ended.input.mark;
  } catch (const Failure&) {
    return false;
  }
}

void add_folder(const fs::path& file, std::set<fs::path>& folders) {
  std::error_code missing;
  const fs::path folder = fs::canonical(file.parent_path(), missing);
  if (!missing) folders.insert(folder);
}

class EmitParts : public Emitter {
 public:
  EmitParts(const EmitOptions& options, const std::vector<PlannedInput>& inputs,
            const std::string& output, Store& store, const std::atomic<bool>& stop);
  ~EmitParts() override { given_up_ = true; }

  // Makes the folders.
  void begin() override;
  void add(const RawRecord& record, const Flag& flag) override;
  // These two throw what writing the parts of earlier inputs has failed with.
  void store(WriteSet& writes) override;
  void after_commit() override;
  // Waits for all parts.
  void finish(bool stopped) override;
  std::vector<Written> written() const override;
  std::uint64_t left_out() const override { return 0; }
  std::vector<std::string> notes() const override { return notes_; }

 private:
  struct Piece {
    std::size_t input;
    std::uint64_t first;
    std::string statuses;
  };

  void take_folders(const EmitOptions& options);
  void take_inputs(const EmitOptions& options, const std::vector<PlannedInput>& inputs);
  void take_name(const std::string& path);
  void require_own_folders(const std::vector<PlannedInput>& inputs,
                           const std::string& output) const;
  void tell_others(std::size_t kind);
  void start_tasks();
  void end_tasks(bool wait);
  void add_done(WriteSet& writes);
  void tell_half_read();

  Store& store_;
  const std::atomic<bool>& stop_;
  bool durable_;
  std::size_t most_tasks_;
  PartFolders folders_;
  std::array<bool, kEmitKindNames.size()> continues_ = {};  // a folder of earlier runs
  std::vector<std::string> outdated_;                       // keys of earlier runs
  std::vector<std::string> paths_;                          // of the inputs, absolute
  std::map<std::string, std::string> names_;                // of parts → paths of their inputs
  std::vector<std::string> notes_;
  std::vector<Piece> pieces_;       // of the batch
  std::vector<EndedInput> ended_;   // by it
  std::deque<EndedInput> waiting_;  // their statuses are committed
  std::vector<WrittenParts> done_;  // not yet committed
  std::array<std::uint64_t, kEmitKindNames.size()> rows_ = {};
  std::atomic<bool> given_up_ = false;
  std::deque<std::future<WrittenParts>> tasks_;  // the last member: they use the others
};

EmitParts::EmitParts(const EmitOptions& options, const std::vector<PlannedInput>& inputs,
                     const std::string& output, Store& store, const std::atomic<bool>& stop)
    : store_(store),
      stop_(stop),
      durable_(options.durable),
      most_tasks_(std::min<std::size_t>(thread_count(options.threads), kMostTasks)),
      outdated_(outdated_emit_keys(options)) {
  if (arrow_module() == nullptr)
    refuse(Exit::kUsage, fmt::format("--emit: parts would be Parquet, and {}", arrow_remedy()));
  take_folders(options);
  take_inputs(options, inputs);
  require_own_folders(inputs, output);
}

void EmitParts::take_folders(const EmitOptions& options) {
  for (std::size_t kind = 0; kind < folders_.size(); ++kind) {
    std::string& folder = folders_[kind];
    if (options.paths[kind].empty()) continue;
    folder = folder_path(options.paths[kind]);
    const auto stored =
        std::ranges::find(options.stored, emit_key(kEmitPartsPrefix, static_cast<EmitKind>(kind)),
                          &MetaValues::value_type::first);
    if (stored == options.stored.end()) continue;
    continues_[kind] = stored->second == folder;
    if (continues_[kind] || !options.half_read) continue;
    refuse(
        Exit::kUnavailable,
        fmt::format("an interrupted run writes parts to {}, which is not the {} given now: rerun "
                    "the same command, or use a new --state",
                    stored->second, folder));
  }
}

void EmitParts::take_inputs(const EmitOptions& options, const std::vector<PlannedInput>& inputs) {
  const bool continues = std::ranges::find(continues_, true) != continues_.end();
  for (const auto& [key, value] : options.stored) {
    if (key.starts_with(kEmitPartPrefix)) {
      continues ? void(names_.emplace(key.substr(kEmitPartPrefix.size()), value))
                : outdated_.push_back(key);
    } else if (key.starts_with(kEmitInputPrefix)) {
      EndedInput ended{key.substr(kEmitInputPrefix.size()), parse_emit_input(key, value)};
      if (ended.input.rows) waiting_.push_back(std::move(ended));
    }
  }
  for (const EndedInput& ended : waiting_) {
    take_name(ended.path);
    if (is_same(ended)) continue;
    refuse(
        Exit::kUnavailable,
        fmt::format("{} was read by an interrupted run, which has not written its parts yet, and "
                    "is missing or another file now: restore it, or use a new --state",
                    ended.path));
  }
  for (const PlannedInput& input : inputs) {
    paths_.push_back(absolute_path(input.path));
    if (!input.skip) take_name(paths_.back());
  }
  for (const auto& [name, path] : names_) {
    const auto other = names_.find(name + std::string(kNewPartSuffix));
    if (other == names_.end()) continue;
    refuse(
        Exit::kUsage,
        fmt::format("--emit: the part of {} would have the name that the part of {} has until it "
                    "is whole: rename one of them",
                    other->second, path));
  }
}

void EmitParts::take_name(const std::string& path) {
  const auto [at, fresh] = names_.emplace(part_name(path), path);
  if (fresh || at->second == path) return;
  refuse(Exit::kUsage,
         fmt::format("--emit: {} and {} would both have the part {}: scan them apart, "
                     "each with its own folders",
                     at->second, path, at->first));
}

void EmitParts::require_own_folders(const std::vector<PlannedInput>& inputs,
                                    const std::string& output) const {
  std::set<fs::path> of_inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::error_code missing;
    add_folder(paths_[i], of_inputs);
    add_folder(fs::canonical(paths_[i], missing), of_inputs);
  }
  const std::string flags = output.empty() ? "" : absolute_path(output);
  std::set<fs::path> of_flags;
  if (!flags.empty()) add_folder(flags, of_flags);
  for (const std::string& folder : folders_) {
    std::error_code missing;
    const fs::path real = folder.empty() ? fs::path() : fs::canonical(folder, missing);
    if (of_inputs.contains(real)) {
      refuse(Exit::kUsage,
             fmt::format("--emit: {} has inputs, which their parts would replace: give "
                         "another folder",
                         folder));
    }
    if (!of_flags.contains(real)) continue;
    for (const auto& [name, path] : names_) {
      if (part_name(flags) != name && part_name(flags) != name + std::string(kNewPartSuffix))
        continue;
      refuse(Exit::kUsage, fmt::format("--emit: {} is the file of the flags, and would be the part "
                                       "of {}, too",
                                       flags, path));
    }
  }
}

void EmitParts::begin() {
  for (std::size_t kind = 0; kind < folders_.size(); ++kind) {
    const std::string& folder = folders_[kind];
    if (folder.empty()) continue;
    std::error_code error;
    if (fs::create_directory(folder, error) && durable_)
      sync_directory(fs::path(folder).parent_path());
    if (!fs::is_directory(folder)) {
      refuse(Exit::kIo, fmt::format("cannot make the folder {}: {}", folder,
                                    error ? error.message() : "it is no folder"));
    }
    if (!continues_[kind]) tell_others(kind);
  }
}

// A reader of the whole folder would take them for parts of this run.
void EmitParts::tell_others(std::size_t kind) {
  std::size_t others = 0;
  std::string some;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folders_[kind], error)) {
    std::string name = entry.path().filename().string();
    if (name.ends_with(kNewPartSuffix)) name.resize(name.size() - kNewPartSuffix.size());
    if (names_.contains(name)) continue;
    if (others++ == 0) some = entry.path().filename().string();
  }
  if (others == 0) return;
  notes_.push_back(fmt::format("{} has {} files that are not of this run, {} among them: they stay",
                               folders_[kind], others, some));
}

void EmitParts::add(const RawRecord& record, const Flag& flag) {
  const SourcePosition& source = record.source;
  const bool follows = !pieces_.empty() && pieces_.back().input == source.input &&
                       pieces_.back().first + pieces_.back().statuses.size() == source.place;
  if (!follows) pieces_.push_back({source.input, source.place, {}});
  pieces_.back().statuses += status_letter(flag.status);
}

void EmitParts::store(WriteSet& writes) {
  for (const auto& [key, value] : writes.meta) {
    if (!key.starts_with(kEmitInputPrefix)) continue;
    EndedInput ended{key.substr(kEmitInputPrefix.size()), parse_emit_input(key, value)};
    if (ended.input.rows) ended_.push_back(std::move(ended));
  }
  for (const Piece& piece : std::exchange(pieces_, {}))
    writes.meta.emplace_back(statuses_key(paths_.at(piece.input), piece.first),
                             zstd_frame(piece.statuses, 1));
  for (std::size_t kind = 0; kind < folders_.size(); ++kind) {
    if (!folders_[kind].empty())
      writes.meta.emplace_back(emit_key(kEmitPartsPrefix, static_cast<EmitKind>(kind)),
                               folders_[kind]);
  }
  for (std::string& key : std::exchange(outdated_, {}))
    writes.meta.emplace_back(std::move(key), "");
  end_tasks(false);
  add_done(writes);
}

void EmitParts::after_commit() {
  std::ranges::move(std::exchange(ended_, {}), std::back_inserter(waiting_));
  end_tasks(false);
  start_tasks();
}

void EmitParts::start_tasks() {
  for (; tasks_.size() < most_tasks_ && !waiting_.empty(); waiting_.pop_front()) {
    tasks_.push_back(std::async(std::launch::async, [this, input = std::move(waiting_.front())] {
      return write_parts(folders_, input, store_, [this] { return stop_ || given_up_; });
    }));
  }
}

// `wait`: for one of them.
void EmitParts::end_tasks(bool wait) {
  if (wait && !tasks_.empty()) tasks_.front().wait();
  for (auto task = tasks_.begin(); task != tasks_.end();) {
    if (task->wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
      ++task;
      continue;
    }
    WrittenParts done = task->get();
    task = tasks_.erase(task);
    if (done.stopped) continue;
    for (std::size_t kind = 0; kind < rows_.size(); ++kind) rows_[kind] += done.rows[kind];
    done_.push_back(std::move(done));
  }
}

void EmitParts::add_done(WriteSet& writes) {
  for (WrittenParts& done : std::exchange(done_, {})) {
    for (std::string& key : done.keys) writes.meta.emplace_back(std::move(key), "");
    writes.meta.emplace_back(std::string(kEmitInputPrefix).append(done.input.path), "");
    writes.meta.emplace_back(std::string(kEmitPartPrefix).append(part_name(done.input.path)),
                             done.input.path);
  }
}

void EmitParts::finish(bool stopped) {
  if (!stopped) start_tasks();
  while (!tasks_.empty()) {
    end_tasks(true);
    if (!stopped && !stop_) start_tasks();
  }
  WriteSet writes;
  add_done(writes);
  if (!writes.meta.empty()) store_.commit(writes);
  if (!stopped && !stop_) tell_half_read();
}

void EmitParts::tell_half_read() {
  std::vector<std::string> half_read;
  for (const auto& [key, value] : store_.meta_with_prefix(kEmitInputPrefix))
    half_read.push_back(key.substr(kEmitInputPrefix.size()));
  if (half_read.empty()) return;
  notes_.push_back(
      fmt::format("{} inputs have no parts, since they were not read to their end, {} "
                  "among them",
                  half_read.size(), half_read.front()));
}

std::vector<Emitter::Written> EmitParts::written() const {
  std::vector<Written> all;
  for (std::size_t kind = 0; kind < folders_.size(); ++kind) {
    if (!folders_[kind].empty())
      all.push_back({static_cast<EmitKind>(kind), folders_[kind], rows_[kind]});
  }
  return all;
}

}  // namespace

std::unique_ptr<Emitter> make_emit_parts(const EmitOptions& options,
                                         const std::vector<PlannedInput>& inputs,
                                         const std::string& output, Store& store,
                                         const std::atomic<bool>& stop) {
  return std::make_unique<EmitParts>(options, inputs, output, store, stop);
}

}  // namespace neardup
