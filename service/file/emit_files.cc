#include "service/file/emit_files.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <future>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/codec.h"
#include "service/file/flags_file.h"
#include "service/file/record_reader.h"
#include "service/file/remote_input.h"

namespace neardup {
namespace {

constexpr std::size_t kFrameBytes = std::size_t{1} << 20;  // after which a frame ends
constexpr std::size_t kLongestTail = (std::size_t{1} << 30) + kFrameBytes;  // with one record

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return without_slash(absolute_path(a)) == without_slash(absolute_path(b)) ||
         std::filesystem::equivalent(a, b, ignored);
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return path.ends_with('/') || std::filesystem::is_directory(path, ignored);
}

[[noreturn]] void refuse_emit(std::string what) { throw Failure(Exit::kUsage, std::move(what)); }

void require_own_path(const std::string& path, const std::string& output,
                      const std::vector<std::string>& inputs, const EmitPaths& others) {
  const auto is_it = [&](const std::string& other) {
    return !other.empty() && same_file(path, other);
  };
  if (is_it(output)) refuse_emit(fmt::format("--emit: {} is the file of the flags, too", path));
  if (std::ranges::any_of(inputs, is_it))
    refuse_emit(fmt::format("--emit: {} is an input too and would be overwritten", path));
  if (std::ranges::any_of(others, is_it))
    refuse_emit(fmt::format("--emit: {} is given for two kinds: give each its file", path));
}

void require_form(const std::string& path) {
  require_local_output("--emit: records", path);
  if (path.empty() || path == "-")
    refuse_emit("--emit: a file is needed, as in kept=kept.jsonl.zst");
  if (is_folder(path)) return;
  for (const std::string_view suffix : {".bz2", ".xz", ".lz4"}) {
    if (path.ends_with(suffix))
      refuse_emit(fmt::format("--emit: {} cannot be written; end it with .zst or .gz", path));
  }
  if (path.ends_with(".parquet")) {
    refuse_emit(
        fmt::format("--emit: {} is one file, and Parquet inputs give a part for each: give "
                    "a folder, as in kept=clean/",
                    path));
  }
}

// Files for records, folders for parts.
void require_forms(const EmitPaths& paths, bool parts) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string& path = paths[i];
    const auto kind = static_cast<EmitKind>(i);
    if (path.empty()) continue;
    if (parts && !is_folder(path)) {
      refuse_emit(
          fmt::format("--emit: {} is a file, and Parquet inputs give a part for each: give "
                      "a folder, {}={}/",
                      path, name(kind), path));
    }
    if (parts) continue;
    if (kind == EmitKind::kMask) {
      refuse_emit(
          fmt::format("--emit: mask={} is for Parquet inputs only: of others, each flag has "
                      "the line of its record (-o)",
                      path));
    }
    if (is_folder(path)) {
      refuse_emit(
          fmt::format("--emit: {} is a folder, which only Parquet inputs fill: give a file, "
                      "as in {}={}.jsonl.zst",
                      path, name(kind), name(kind)));
    }
  }
}

}  // namespace

EmitKind emit_kind(Status status) {
  switch (status) {
    case Status::kExactDuplicate:
    case Status::kNearDuplicate:
    case Status::kUnchanged:
      return EmitKind::kDuplicates;
    case Status::kRejected:
      return EmitKind::kRejected;
    case Status::kDeleted:
      return EmitKind::kDeleted;
    default:
      return EmitKind::kKept;
  }
}

EmitPaths emit_paths(const std::vector<std::string>& words, const std::string& output,
                     const std::vector<std::string>& inputs) {
  EmitPaths paths;
  for (const std::string& word : words) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const auto kind = std::ranges::find(kEmitKindNames, std::string_view(word).substr(0, equals));
    if (kind == kEmitKindNames.end() || equals == word.size()) {
      refuse_emit(fmt::format("--emit: {} is not KIND=PATH, with one of {}", word,
                              fmt::join(kEmitKindNames, ", ")));
    }
    std::string& path = paths[static_cast<std::size_t>(kind - kEmitKindNames.begin())];
    if (!path.empty()) refuse_emit(fmt::format("--emit: {} is given twice", *kind));
    const std::string given = word.substr(equals + 1);
    require_form(given);
    require_own_path(given, output, inputs, paths);
    path = given;
  }
  return paths;
}

EmitForm emit_form(const std::vector<PlannedInput>& inputs, const EmitPaths& paths) {
  const PlannedInput* first = nullptr;
  const PlannedInput* unknown = nullptr;  // a pipe
  for (const PlannedInput& input : inputs) {
    if (input.form.format.empty()) {
      if (!input.skip) unknown = &input;
    } else if (first == nullptr) {
      first = &input;
    } else if (first->form.format != input.form.format) {
      refuse_emit(fmt::format("--emit: {} is {}, and {} is {}: give inputs of one format a run",
                              first->path, first->form.format, input.path, input.form.format));
    } else if (first->form.head != input.form.head) {
      refuse_emit(
          fmt::format("--emit: {} has other columns than {}: give inputs with the same first row",
                      input.path, first->path));
    }
  }
  EmitForm form;
  if (first != nullptr) {
    form = {.head = first->form.head,
            .record_members = first->form.format == "WARC",
            .parts = first->form.format == kParquetFormat};
  }
  if (form.parts && unknown != nullptr) {
    refuse_emit(
        fmt::format("--emit: {} is Parquet, and {} is no file: give inputs of one format "
                    "a run",
                    first->path, unknown->path));
  }
  const auto remote =
      std::ranges::find_if(inputs, [](const PlannedInput& input) { return is_remote(input.path); });
  if (form.parts && remote != inputs.end()) {
    refuse_emit(
        fmt::format("--emit: {} is in a bucket, and rows of Parquet there cannot be written "
                    "to parts yet: download it, or leave --emit out and join the flags by id",
                    remote->path));
  }
  require_forms(paths, form.parts);
  return form;
}

std::string emit_key(std::string_view prefix, EmitKind kind) {
  return std::string(prefix).append(name(kind));
}

std::vector<std::string> outdated_emit_keys(const EmitOptions& options) {
  std::vector<std::string> outdated;
  for (std::size_t i = 0; i < options.paths.size(); ++i) {
    const auto kind = static_cast<EmitKind>(i);
    for (const bool parts : {false, true}) {
      const std::string key = emit_key(parts ? kEmitPartsPrefix : kEmitPrefix, kind);
      const bool had = std::ranges::any_of(options.stored,
                                           [&](const auto& value) { return value.first == key; });
      const bool wanted = !options.paths[i].empty() && options.form.parts == parts;
      if (options.half_read && wanted != had) {
        throw Failure(Exit::kUnavailable,
                      fmt::format("an interrupted run {} --emit {}=…: rerun its command, which "
                                  "finishes it, or use a new --state",
                                  had ? "had" : "did not have", name(kind)));
      }
      if (wanted || !had) continue;
      outdated.push_back(key);
      if (!parts) outdated.push_back(emit_key(kEmitTailPrefix, kind));
    }
  }
  return outdated;
}

class EmitFiles::File {
 public:
  File(EmitKind kind, const EmitOptions& options, const std::optional<std::string>& stored,
       const std::optional<std::string>& tail)
      : kind_(kind),
        file_({.path = options.paths[static_cast<std::size_t>(kind)],
               .key = emit_key(kEmitPrefix, kind),
               .stored = stored,
               .half_read = options.half_read,
               .durable = options.durable,
               .waits = true}),
        form_(form_of(file_.path())),
        most_frames_(std::max(options.threads, 1U)) {
    if (options.form.record_members && form_ == Form::kGzip) frame_bytes_ = 1;
    if (!file_.continues()) pending_ = options.form.head;
    if (!file_.continues() || !tail) return;
    auto bytes = bytes_of_zstd_frame(*tail, kLongestTail);
    if (!bytes) {
      throw Failure(Exit::kIo,
                    fmt::format("the state has damaged records for {}: restore a backup of "
                                "the state, or use a new --state",
                                file_.path()));
    }
    pending_ = std::move(*bytes);
  }

  void begin() { file_.begin(); }

  void add(std::string_view record) {
    ++records_;
    pending_ += record;
    if (!record.ends_with('\n')) pending_ += '\n';
    if (pending_.size() >= frame_bytes_) end_frame();
  }

  void store(WriteSet& writes) {
    if (form_ == Form::kPlain) end_frame();
    write_frames(0);
    if (!file_.regular()) return;
    file_.sync();
    file_.store(writes);
    writes.meta.emplace_back(emit_key(kEmitTailPrefix, kind_),
                             pending_.empty() ? "" : zstd_frame(pending_, 1));
  }

  // What is not stored is written again by a later run.
  void finish() {
    end_frame();
    write_frames(0);
    file_.sync();
  }

  Written written() const { return {kind_, file_.path(), records_}; }

 private:
  // Not in the anonymous namespace, which a unit shares with other sources.
  enum class Form : std::uint8_t { kPlain, kGzip, kZstd };

  static Form form_of(std::string_view path) {
    if (path.ends_with(".gz")) return Form::kGzip;
    return path.ends_with(".zst") ? Form::kZstd : Form::kPlain;
  }

  void end_frame() {
    std::string bytes = std::exchange(pending_, {});
    if (bytes.empty()) return;
    if (form_ == Form::kPlain) return file_.append(bytes);
    frames_.push_back(std::async(std::launch::async, [form = form_, bytes = std::move(bytes)] {
      return form == Form::kGzip ? gzip_member(bytes) : zstd_frame(bytes);
    }));
    write_frames(most_frames_);
  }

  // All but the latest `most`.
  void write_frames(std::size_t most) {
    for (; frames_.size() > most; frames_.pop_front()) file_.append(frames_.front().get());
  }

  EmitKind kind_;
  FlagsFile file_;
  Form form_;
  std::size_t most_frames_;
  std::size_t frame_bytes_ = kFrameBytes;
  std::string pending_;                          // records of the frame that has not ended
  std::deque<std::future<std::string>> frames_;  // being compressed, in their order
  std::uint64_t records_ = 0;
};

EmitFiles::EmitFiles(const EmitOptions& options)
    : durable_(options.durable), outdated_(outdated_emit_keys(options)) {
  const std::map<std::string, std::string> stored(options.stored.begin(), options.stored.end());
  const auto value = [&](std::string_view prefix, EmitKind kind) -> std::optional<std::string> {
    const auto at = stored.find(emit_key(prefix, kind));
    if (at == stored.end()) return {};
    return at->second;
  };
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const auto kind = static_cast<EmitKind>(i);
    if (options.paths[i].empty()) continue;
    files_[i] = std::make_unique<File>(kind, options, value(kEmitPrefix, kind),
                                       value(kEmitTailPrefix, kind));
  }
}

EmitFiles::~EmitFiles() = default;

void EmitFiles::begin() {
  for (const auto& file : files_)
    if (file) file->begin();
}

void EmitFiles::add(const RawRecord& record, Status status) {
  File* file = files_[static_cast<std::size_t>(emit_kind(status))].get();
  if (file == nullptr) return;
  if (record.too_large) {
    ++left_out_;
  } else {
    file->add(record.stored);
  }
}

void EmitFiles::store(WriteSet& writes) {
  if (!durable_) return;
  for (const auto& file : files_)
    if (file) file->store(writes);
  for (std::string& key : std::exchange(outdated_, {}))
    writes.meta.emplace_back(std::move(key), "");
}

void EmitFiles::finish(bool) {
  for (const auto& file : files_)
    if (file) file->finish();
}

std::vector<Emitter::Written> EmitFiles::written() const {
  std::vector<Written> all;
  for (const auto& file : files_)
    if (file) all.push_back(file->written());
  return all;
}

}  // namespace neardup
