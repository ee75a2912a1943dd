#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string_view>
#include <system_error>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/byte_stream.h"
#include "service/file/input_list.h"
#include "service/file/remote_input.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 8> kFormatNames{".jsonl", ".ndjson", ".json", ".csv",
                                                       ".tsv",   ".warc",   ".wet",  ".parquet"};

bool hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

[[noreturn]] void refuse_name(std::string_view path, std::string_view what) {
  throw Failure(Exit::kUnreadable, fmt::format("cannot read {}: {}", path, what));
}

// The entries of a directory that are not hidden, in the order of their bytes.
std::vector<fs::path> entries_of(const fs::path& directory) {
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error))
    if (!hidden(at->path())) found.push_back(at->path());
  if (error) refuse_name(directory.string(), error.message());
  std::ranges::sort(found, {},
                    [](const fs::path& path) -> const std::string& { return path.native(); });
  return found;
}

bool directory_at(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool anything_at(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

// A directory that is reached through a link may hold that link.
bool is_walked(const fs::path& path) {
  std::error_code ignored;
  return directory_at(path) && !fs::is_symlink(path, ignored);
}

class Expander {
 public:
  void add(const std::string& path) {
    if (is_remote(path)) return add_remote(path);
    if (path != "-" && is_pattern(path) && !anything_at(path)) return add_pattern(path);
    if (path == "-" || !directory_at(path)) return take(path);
    const std::size_t before = list_.paths.size();
    std::uint64_t skipped = 0;
    walk(path, skipped);
    tell(path, before, skipped);
  }

  void take(std::string path) { list_.paths.push_back(std::move(path)); }

  InputNames result() { return std::move(list_); }

 private:
  void add_remote(const std::string& path) {
    const std::size_t before = list_.paths.size();
    RemoteFiles found = expand_remote(path);
    std::ranges::move(found.paths, std::back_inserter(list_.paths));
    if (found.folder) return tell(path, before, found.skipped);
    if (list_.paths.size() == before) refuse_name(path, "no file has such a name");
  }

  // What became of the directory whose files begin at `before`.
  void tell(const std::string& path, std::size_t before, std::uint64_t skipped) {
    if (list_.paths.size() == before) {
      refuse_name(
          path,
          "the directory has no file whose name ends with .jsonl, .ndjson, .json, .csv, .tsv, "
          ".warc, .wet or .parquet, compressed or not; name the files in it");
    }
    if (skipped > 0) {
      list_.notes.push_back(fmt::format(
          "{}: {} file{} whose name tells no known format {} skipped: name them to read them", path,
          skipped, skipped == 1 ? "" : "s", skipped == 1 ? "was" : "were"));
    }
  }

  void walk(const fs::path& directory, std::uint64_t& skipped) {
    for (const fs::path& entry : entries_of(directory)) {
      if (directory_at(entry)) {
        if (is_walked(entry)) walk(entry, skipped);
      } else if (names_a_format(entry.string())) {
        take(entry.string());
      } else {
        ++skipped;
      }
    }
  }

  void add_pattern(const std::string& pattern) {
    const std::size_t before = list_.paths.size();
    std::vector<std::string> parts;
    for (const fs::path& part : fs::path(pattern))
      if (part != "/") parts.push_back(part.string());
    match(pattern.starts_with('/') ? "/" : "", parts, 0);
    if (list_.paths.size() == before) refuse_name(pattern, "no file has such a name");
  }

  // Takes the files below `directory` that parts[at…] match; "" is the current directory.
  void match(const fs::path& directory, const std::vector<std::string>& parts, std::size_t at) {
    const std::string& part = parts[at];
    const bool last = at + 1 == parts.size();
    if (part == "**" && !last) match(directory, parts, at + 1);
    if (!is_pattern(part)) {
      const fs::path path = directory / part;
      if (last ? anything_at(path) : directory_at(path)) next(path, parts, at, last);
      return;
    }
    for (const fs::path& entry : entries_of(directory.empty() ? "." : directory)) {
      const std::string name = entry.filename().string();
      const fs::path path = directory / name;
      if (part == "**") {
        if (is_walked(path)) match(path, parts, at);
        if (last && !directory_at(path)) take(path.string());
      } else if (::fnmatch(part.c_str(), name.c_str(), 0) == 0) {
        next(path, parts, at, last);
      }
    }
  }

  void next(const fs::path& path, const std::vector<std::string>& parts, std::size_t at,
            bool last) {
    if (!last) {
      if (directory_at(path)) match(path, parts, at + 1);
    } else if (!directory_at(path)) {
      take(path.string());
    }
  }

  InputNames list_;
};

void read_list(const std::string& path, Expander& expander) {
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& in = path == "-" ? std::cin : file;
  if (!in || directory_at(path)) refuse_name(path, "it is no list of files");
  bool any = false;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    any = true;
    if (is_remote(line)) static_cast<void>(remote_place(line));
    expander.take(line);
  }
  if (!any) refuse_name(path, "the list has no file: give one name a line");
}

}  // namespace

bool is_pattern(std::string_view path) { return path.find_first_of("*?[") != path.npos; }

bool names_a_format(std::string_view path) {
  const std::string_view name = without_compression(path);
  return std::ranges::any_of(kFormatNames,
                             [&](std::string_view suffix) { return name.ends_with(suffix); });
}

InputNames expand_inputs(const std::vector<std::string>& inputs,
                         const std::vector<std::string>& lists) {
  Expander expander;
  for (const std::string& path : inputs) expander.add(path);
  for (const std::string& path : lists) read_list(path, expander);
  return expander.result();
}

}  // namespace neardup
