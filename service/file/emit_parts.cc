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
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
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
#include "service/file/record_reader.h"
#include "storage/control_group.h"
#include "storage/files.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRowsPrefix = "emit_rows/";
constexpr std::string_view kNewSuffix = ".new";
constexpr std::size_t kMask = static_cast<std::size_t>(EmitKind::kMask);
constexpr std::size_t kMostTasks = 4;          // each takes some pages of memory
constexpr std::uint64_t kMaskRows = 1U << 16;  // at once
constexpr std::size_t kMostPiece = std::size_t{1} << 30;
constexpr std::uint8_t kNoPart = 0xff;

using Folders = std::array<std::string, kEmitKindNames.size()>;  // absolute; "": not wanted

// An input that was read to its end.
struct Ended {
  std::string path;  // absolute
  EmitInput input;
};

// Its parts were written, unless `stopped`.
struct Done {
  bool stopped = false;
  Ended input;
  std::vector<std::string> keys = {};  // of its statuses
  std::array<std::uint64_t, kEmitKindNames.size()> rows = {};
};

std::string rows_key(std::string_view path, std::uint64_t first) {
  return fmt::format("{}{}/{:016x}", kRowsPrefix, path, first);
}

std::string name_of(const std::string& path) { return fs::path(path).filename().string(); }

char letter(Status status) { return static_cast<char>('0' + static_cast<char>(status)); }
Status status_of(char letter) { return static_cast<Status>(letter - '0'); }
bool known(char letter) { return letter >= '0' && letter < '0' + static_cast<int>(kStatuses); }

[[noreturn]] void refuse(Exit exit, std::string what) { throw Failure(exit, std::move(what)); }

// The statuses of an input, in the order of its rows, a piece in memory.
class StoredStatuses {
 public:
  StoredStatuses(Store& store, std::string_view path) : store_(store), path_(path) {}

  // The next `count`; valid until the next call.
  std::string_view next(std::uint64_t count) {
    piece_.erase(0, std::exchange(used_, 0));
    while (piece_.size() < count) read_piece();
    used_ = count;
    return std::string_view(piece_).substr(0, count);
  }

  std::vector<std::string>& keys() { return keys_; }

 private:
  void read_piece() {
    const std::string& key = keys_.emplace_back(rows_key(path_, read_ + 1));
    const auto frame = store_.meta(key);
    const auto piece = frame ? bytes_of_zstd_frame(*frame, kMostPiece) : std::nullopt;
    if (!piece || piece->empty() || !std::ranges::all_of(*piece, known)) {
      refuse(Exit::kIo, fmt::format("the state has no or damaged statuses of {} from row {} on: "
                                    "restore a backup of the state, or use a new --state",
                                    path_, read_ + 1));
    }
    read_ += piece->size();
    piece_ += *piece;
  }

  Store& store_;
  std::string path_;
  std::string piece_;
  std::uint64_t used_ = 0;  // bytes of piece_ that were given
  std::uint64_t read_ = 0;  // rows in pieces that were read
  std::vector<std::string> keys_;
};

// A file that gets its name when it is whole, and else is removed.
class NewFile {
 public:
  explicit NewFile(std::string path) : path_(std::move(path)), unfinished_(path_) {
    unfinished_ += kNewSuffix;
  }
  ~NewFile() {
    if (!unfinished_.empty()) ::unlink(unfinished_.c_str());
  }
  NewFile(NewFile&& other) noexcept
      : path_(std::move(other.path_)), unfinished_(std::exchange(other.unfinished_, {})) {}
  NewFile& operator=(NewFile&&) = delete;

  const std::string& path() const { return path_; }
  const std::string& unfinished() const { return unfinished_; }

  void finish() {
    sync(Descriptor(::open(unfinished_.c_str(), O_RDONLY | O_CLOEXEC)), unfinished_);
    rename_file(unfinished_, path_);
    unfinished_.clear();
  }

 private:
  std::string path_;
  std::string unfinished_;
};

// The parts of one input, written by one thread.
class InputParts {
 public:
  InputParts(const Folders& folders, Ended input, Store& store) : statuses_(store, input.path) {
    done_.input = std::move(input);
    targets_.fill(kNoPart);
    for (std::size_t kind = 0; kind < folders.size(); ++kind) {
      if (folders[kind].empty()) continue;
      NewFile file(folders[kind] + "/" + name_of(path()));
      if (kind == kMask) {
        mask_file_ = std::make_unique<NewFile>(std::move(file));
        continue;
      }
      for (std::size_t status = 0; status < kStatuses; ++status)
        if (emit_kind(static_cast<Status>(status)) == static_cast<EmitKind>(kind))
          targets_[status] = static_cast<std::uint8_t>(files_.size());
      kinds_.push_back(kind);
      files_.push_back(std::move(file));
    }
  }

  Done write(const std::function<bool()>& stopped) {
    if (parquet_mark(path()) != done_.input.input.mark) {
      refuse(Exit::kUnavailable,
             fmt::format("{} has changed since it was read, and its parts are not written yet: "
                         "restore it and rerun the command, or use a new --state",
                         path()));
    }
    try {
      if (mask_file_)
        writing_mask([&] { mask_ = arrow_module()->create_mask(mask_file_->unfinished()); });
      done_.stopped = files_.empty() ? !write_mask(stopped) : !split(stopped);
      if (!done_.stopped) finish();
    } catch (const Failure&) {
      throw;
    } catch (const ParquetPartError& error) {
      fail_writing(files_.at(error.part), error.what());
    } catch (const std::exception& error) {
      refuse(Exit::kUnreadable,
             fmt::format("{} cannot be read again for its parts: {}", path(), error.what()));
    }
    done_.keys = std::move(statuses_.keys());
    return std::move(done_);
  }

 private:
  const std::string& path() const { return done_.input.path; }
  std::uint64_t rows() const { return *done_.input.input.rows; }

  [[noreturn]] static void fail_writing(const NewFile& file, std::string_view what) {
    refuse(Exit::kIo, fmt::format("cannot write to {}: {}", file.path(), what));
  }

  template <class Work>
  void writing_mask(const Work& work) {
    try {
      work();
    } catch (const std::exception& error) {
      fail_writing(*mask_file_, error.what());
    }
  }

  // False: stopped.
  bool split(const std::function<bool()>& stopped) {
    std::vector<std::string> paths;
    for (const NewFile& file : files_) paths.push_back(file.unfinished());
    split_ = arrow_module()->open_split(path(), paths);
    std::uint64_t at = 0;
    while (const auto group = split_->group_rows()) {
      if (stopped()) return false;
      if (*group > rows() - at) fail_rows();
      write_group(statuses_.next(*group));
      at += *group;
    }
    if (at != rows()) fail_rows();
    return true;
  }

  void write_group(std::string_view statuses) {
    std::vector<std::uint8_t> targets(statuses.size());
    for (std::size_t row = 0; row < targets.size(); ++row) {
      targets[row] = targets_[static_cast<std::size_t>(status_of(statuses[row]))];
      if (targets[row] != kNoPart) ++done_.rows[kinds_[targets[row]]];
    }
    split_->write_group(targets);
    add_to_mask(statuses);
  }

  bool write_mask(const std::function<bool()>& stopped) {
    for (std::uint64_t at = 0; at < rows(); at += kMaskRows) {
      if (stopped()) return false;
      add_to_mask(statuses_.next(std::min(kMaskRows, rows() - at)));
    }
    return true;
  }

  void add_to_mask(std::string_view statuses) {
    if (!mask_) return;
    writing_mask([&] {
      for (const char letter : statuses) {
        const Status status = status_of(letter);
        mask_->add(emit_kind(status) == EmitKind::kKept, name(status));
      }
    });
    done_.rows[kMask] += statuses.size();
  }

  [[noreturn]] void fail_rows() const {
    throw std::runtime_error(fmt::format("it has not the {} rows that were decided", rows()));
  }

  void finish() {
    if (split_) split_->finish();
    if (mask_) writing_mask([&] { mask_->finish(); });
    for (NewFile& file : files_) file.finish();
    if (mask_file_) mask_file_->finish();
  }

  Done done_;
  StoredStatuses statuses_;
  std::array<std::uint8_t, kStatuses> targets_;  // of each status
  std::vector<std::size_t> kinds_;               // of the parts
  std::vector<NewFile> files_;
  std::unique_ptr<NewFile> mask_file_;
  std::unique_ptr<ParquetMask> mask_;
  std::unique_ptr<ParquetSplit> split_;
};

bool is_same(const Ended& ended) {
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
  void add(const RawRecord& record, Status status) override;
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
  Folders folders_;
  std::array<bool, kEmitKindNames.size()> continues_ = {};  // a folder of earlier runs
  std::vector<std::string> outdated_;                       // keys of earlier runs
  std::vector<std::string> paths_;                          // of the inputs, absolute
  std::map<std::string, std::string> names_;                // of parts → paths of their inputs
  std::vector<std::string> notes_;
  std::vector<Piece> pieces_;  // of the batch
  std::vector<Ended> ended_;   // by it
  std::deque<Ended> waiting_;  // their statuses are committed
  std::vector<Done> done_;     // not yet committed
  std::array<std::uint64_t, kEmitKindNames.size()> rows_ = {};
  std::atomic<bool> given_up_ = false;
  std::deque<std::future<Done>> tasks_;  // the last member: they use the others
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
    folder = absolute_path(options.paths[kind]);
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    const auto stored = std::ranges::find(
        options.stored, std::string(kEmitPartsPrefix).append(kEmitKindNames[kind]),
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
      Ended ended{key.substr(kEmitInputPrefix.size()), parse_emit_input(key, value)};
      if (ended.input.rows) waiting_.push_back(std::move(ended));
    }
  }
  for (const Ended& ended : waiting_) {
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
    const auto other = names_.find(name + std::string(kNewSuffix));
    if (other == names_.end()) continue;
    refuse(
        Exit::kUsage,
        fmt::format("--emit: the part of {} would have the name that the part of {} has until it "
                    "is whole: rename one of them",
                    other->second, path));
  }
}

void EmitParts::take_name(const std::string& path) {
  const auto [at, fresh] = names_.emplace(name_of(path), path);
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
      if (name_of(flags) != name && name_of(flags) != name + std::string(kNewSuffix)) continue;
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
    if (name.ends_with(kNewSuffix)) name.resize(name.size() - kNewSuffix.size());
    if (names_.contains(name)) continue;
    if (others++ == 0) some = entry.path().filename().string();
  }
  if (others == 0) return;
  notes_.push_back(fmt::format("{} has {} files that are not of this run, {} among them: they stay",
                               folders_[kind], others, some));
}

void EmitParts::add(const RawRecord& record, Status status) {
  const SourcePosition& source = record.source;
  const bool follows = !pieces_.empty() && pieces_.back().input == source.input &&
                       pieces_.back().first + pieces_.back().statuses.size() == source.place;
  if (!follows) pieces_.push_back({source.input, source.place, {}});
  pieces_.back().statuses += letter(status);
}

void EmitParts::store(WriteSet& writes) {
  for (const auto& [key, value] : writes.meta) {
    if (!key.starts_with(kEmitInputPrefix)) continue;
    Ended ended{key.substr(kEmitInputPrefix.size()), parse_emit_input(key, value)};
    if (ended.input.rows) ended_.push_back(std::move(ended));
  }
  for (const Piece& piece : std::exchange(pieces_, {}))
    writes.meta.emplace_back(rows_key(paths_.at(piece.input), piece.first),
                             zstd_frame(piece.statuses, 1));
  for (std::size_t kind = 0; kind < folders_.size(); ++kind) {
    if (!folders_[kind].empty())
      writes.meta.emplace_back(std::string(kEmitPartsPrefix).append(kEmitKindNames[kind]),
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
      return InputParts(folders_, input, store_).write([this] { return stop_ || given_up_; });
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
    Done done = task->get();
    task = tasks_.erase(task);
    if (done.stopped) continue;
    for (std::size_t kind = 0; kind < rows_.size(); ++kind) rows_[kind] += done.rows[kind];
    done_.push_back(std::move(done));
  }
}

void EmitParts::add_done(WriteSet& writes) {
  for (Done& done : std::exchange(done_, {})) {
    for (std::string& key : done.keys) writes.meta.emplace_back(std::move(key), "");
    writes.meta.emplace_back(std::string(kEmitInputPrefix).append(done.input.path), "");
    writes.meta.emplace_back(std::string(kEmitPartPrefix).append(name_of(done.input.path)),
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
