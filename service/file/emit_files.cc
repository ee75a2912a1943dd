#include "service/file/emit_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/emitted_file.h"
#include "service/file/record_reader.h"
#include "service/file/remote_input.h"

namespace neardup {
namespace {

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return folder_path(a) == folder_path(b) || std::filesystem::equivalent(a, b, ignored);
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

// The toolkit knows no other format, and has a file of attributes for each of documents.
void require_dolma(const std::string& path, const PlannedInput* first,
                   const PlannedInput* unknown) {
  if (path.empty()) return;
  constexpr std::string_view kWants = "attributes are for files of JSON Lines: leave dolma= out";
  if (unknown != nullptr)
    refuse_emit(fmt::format("--emit: {} is no file, and {}", unknown->path, kWants));
  if (first != nullptr && first->form.format != kJsonLinesFormat)
    refuse_emit(fmt::format("--emit: {} is {}, and {}", first->path, first->form.format, kWants));
}

// Files for records, folders for parts.
void require_forms(const EmitPaths& paths, bool parts) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string& path = paths[i];
    const auto kind = static_cast<EmitKind>(i);
    if (path.empty() || kind == EmitKind::kDolma) continue;
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

void add_attribute_keys(const MetaValues& stored, std::vector<std::string>& keys) {
  for (const auto& [key, value] : stored) {
    if (key.starts_with(kEmitAttributesPrefix) || key.starts_with(kEmitAttributesTailPrefix))
      keys.push_back(key);
  }
}

}  // namespace

std::string folder_path(const std::string& path) {
  std::string folder = absolute_path(path);
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return folder;
}

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
  require_dolma(paths[static_cast<std::size_t>(EmitKind::kDolma)], first, unknown);
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
      if (kind == EmitKind::kDolma) add_attribute_keys(options.stored, outdated);
    }
  }
  return outdated;
}

EmitFiles::EmitFiles(const EmitOptions& options)
    : durable_(options.durable), outdated_(outdated_emit_keys(options)) {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const auto kind = static_cast<EmitKind>(i);
    if (options.paths[i].empty() || kind == EmitKind::kDolma) continue;
    files_[i] = std::make_unique<EmittedFile>(options.paths[i], emit_key(kEmitPrefix, kind),
                                              emit_key(kEmitTailPrefix, kind), options);
  }
}

EmitFiles::~EmitFiles() = default;

void EmitFiles::begin() {
  for (const auto& file : files_)
    if (file) file->begin();
}

void EmitFiles::add(const RawRecord& record, const Flag& flag) {
  EmittedFile* file = files_[static_cast<std::size_t>(emit_kind(flag.status))].get();
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
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (!files_[i]) continue;
    all.push_back({static_cast<EmitKind>(i), files_[i]->path(), files_[i]->records()});
  }
  return all;
}

}  // namespace neardup
