#include <fnmatch.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/arrow_library.h"
#include "service/file/input_list.h"
#include "service/file/remote_input.h"

namespace neardup {
namespace {

using Parts = std::vector<std::string>;

Parts parts_of(std::string_view key) {
  Parts parts;
  for (std::size_t at = 0; at <= key.size();) {
    const std::size_t end = std::min(key.find('/', at), key.size());
    if (end > at) parts.emplace_back(key.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// As a walk through directories finds them: a folder before what begins with its name.
bool before(const std::string& a, const std::string& b) {
  const auto place = [](char c) { return c == '/' ? 0 : static_cast<unsigned char>(c) + 1; };
  return std::ranges::lexicographical_compare(a, b, {}, place, place);
}

// `place` is where a walk through directories finds the name: the names on the way, and an empty
// one where ** is over, since files of a directory come before what is below it.
bool matches(const Parts& pattern, std::size_t at, const Parts& name, std::size_t from,
             Parts& place) {
  if (at == pattern.size()) return from == name.size();
  if (from == name.size()) return false;
  const std::string& part = pattern[at];
  const bool last = at + 1 == pattern.size();
  const bool hidden = name[from].starts_with('.');
  const std::size_t before = place.size();
  if (part == "**" && !last) {
    place.emplace_back();
    if (matches(pattern, at + 1, name, from, place)) return true;
    place.resize(before);
  }
  place.push_back(name[from]);
  if (part == "**" && last && from + 1 == name.size()) return !hidden;
  if (part == "**") return !hidden && matches(pattern, at, name, from + 1, place);
  const bool same = is_pattern(part)
                        ? !hidden && ::fnmatch(part.c_str(), name[from].c_str(), 0) == 0
                        : part == name[from];
  return same && matches(pattern, at + 1, name, from + 1, place);
}

// The part of a key before its first wildcard that names a folder: "a/b/" of "a/b/c*/d".
std::string folder_before(const std::string& key) {
  const std::size_t wild = key.find_first_of("*?[");
  const std::size_t slash = key.rfind('/', wild);
  return slash == key.npos ? "" : key.substr(0, slash + 1);
}

class Listing {
 public:
  Listing(const ArrowModule& module, const std::string& path)
      : module_(module), place_(remote_place(path)) {
    const std::string_view name = without_query(path);
    query_ = path.substr(name.size());
    bucket_ = name.substr(0, name.size() - place_.key.size());
    if (!bucket_.ends_with('/')) bucket_ += '/';
  }

  RemoteFiles files() {
    const bool named_folder = place_.key.empty() || place_.key.ends_with('/');
    const RemoteKind kind = named_folder ? RemoteKind::kFolder : module_.kind_of(place_);
    if (kind == RemoteKind::kFolder) return folder();
    if (kind == RemoteKind::kNone && is_pattern(place_.key)) return pattern();
    return {.paths = {path_of(place_.key)}};
  }

 private:
  std::string path_of(const std::string& key) const { return bucket_ + key + query_; }

  std::vector<std::string> list(const std::string& key, bool below) const {
    std::vector<std::string> keys =
        module_.list_objects({.store = place_.store, .key = key}, below);
    std::ranges::sort(keys, before);
    return keys;
  }

  RemoteFiles folder() const {
    RemoteFiles found{.folder = true};
    const std::size_t above = parts_of(place_.key).size();
    for (const std::string& key : list(place_.key, true)) {
      const Parts parts = parts_of(key);
      const bool hidden =
          std::any_of(parts.begin() + static_cast<std::ptrdiff_t>(above), parts.end(),
                      [](const auto& p) { return p.starts_with('.'); });
      if (hidden) continue;
      names_a_format(key) ? found.paths.push_back(path_of(key)) : void(++found.skipped);
    }
    return found;
  }

  RemoteFiles pattern() const {
    RemoteFiles found;
    const std::string base = folder_before(place_.key);
    const Parts wanted = parts_of(place_.key);
    const bool below = parts_of(base).size() + 1 < wanted.size() || wanted.back() == "**";
    std::vector<std::pair<Parts, std::string>> places;
    for (const std::string& key : list(base, below)) {
      Parts place;
      if (matches(wanted, 0, parts_of(key), 0, place)) places.emplace_back(place, key);
    }
    std::ranges::sort(places);
    for (const auto& [place, key] : places) found.paths.push_back(path_of(key));
    return found;
  }

  const ArrowModule& module_;
  RemotePlace place_;
  std::string bucket_;  // with its scheme and a slash
  std::string query_;
};

}  // namespace

RemoteFiles expand_remote(const std::string& path) {
  static_cast<void>(remote_place(path));  // nothing that it refuses is printed
  const ArrowModule* const module = arrow_module();
  if (module == nullptr) return {.paths = {path}};  // which is refused when it is opened
  try {
    return Listing(*module, path).files();
  } catch (const Failure&) {
    throw;
  } catch (const std::exception& error) {
    throw Failure(Exit::kUnreadable,
                  fmt::format("cannot read {}: {}", path, explained(error.what())));
  }
}

}  // namespace neardup
