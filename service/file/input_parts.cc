#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <utility>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/arrow_library.h"
#include "service/file/codec.h"
#include "service/file/ended_input.h"
#include "service/file/record_reader.h"
#include "storage/files.h"

namespace neardup {
namespace {

constexpr std::string_view kRowsPrefix = "emit_rows/";
constexpr std::size_t kMask = static_cast<std::size_t>(EmitKind::kMask);
constexpr std::uint64_t kMaskRows = 1U << 16;  // at once
constexpr std::size_t kMostPiece = std::size_t{1} << 30;
constexpr std::uint8_t kNoPart = 0xff;

Status status_of(char letter) { return static_cast<Status>(letter - '0'); }
bool known(char letter) { return letter >= '0' && letter < '0' + static_cast<int>(kStatuses); }

[[noreturn]] void refuse_input(Exit exit, std::string what) {
  throw Failure(exit, std::move(what));
}

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
    const std::string& key = keys_.emplace_back(statuses_key(path_, read_ + 1));
    const auto frame = store_.meta(key);
    const auto piece = frame ? bytes_of_zstd_frame(*frame, kMostPiece) : std::nullopt;
    if (!piece || piece->empty() || !std::ranges::all_of(*piece, known)) {
      refuse_input(Exit::kIo,
                   fmt::format("the state has no or damaged statuses of {} from row {} on: "
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
    unfinished_ += kNewPartSuffix;
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
  InputParts(const PartFolders& folders, EndedInput input, Store& store)
      : statuses_(store, input.path) {
    done_.input = std::move(input);
    targets_.fill(kNoPart);
    for (std::size_t kind = 0; kind < folders.size(); ++kind) {
      if (folders[kind].empty()) continue;
      NewFile file(folders[kind] + "/" + part_name(path()));
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

  WrittenParts write(const std::function<bool()>& stopped) {
    if (parquet_mark(path()) != done_.input.input.mark) {
      refuse_input(
          Exit::kUnavailable,
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
      refuse_input(Exit::kUnreadable,
                   fmt::format("{} cannot be read again for its parts: {}", path(), error.what()));
    }
    done_.keys = std::move(statuses_.keys());
    return std::move(done_);
  }

 private:
  const std::string& path() const { return done_.input.path; }
  std::uint64_t rows() const { return *done_.input.input.rows; }

  [[noreturn]] static void fail_writing(const NewFile& file, std::string_view what) {
    refuse_input(Exit::kIo, fmt::format("cannot write to {}: {}", file.path(), what));
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

  WrittenParts done_;
  StoredStatuses statuses_;
  std::array<std::uint8_t, kStatuses> targets_;  // of each status
  std::vector<std::size_t> kinds_;               // of the parts
  std::vector<NewFile> files_;
  std::unique_ptr<NewFile> mask_file_;
  std::unique_ptr<ParquetMask> mask_;
  std::unique_ptr<ParquetSplit> split_;
};

}  // namespace

std::string statuses_key(std::string_view path, std::uint64_t first) {
  return fmt::format("{}{}/{:016x}", kRowsPrefix, path, first);
}

std::string part_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

WrittenParts write_parts(const PartFolders& folders, EndedInput input, Store& store,
                         const std::function<bool()>& stopped) {
  return InputParts(folders, std::move(input), store).write(stopped);
}

}  // namespace neardup
