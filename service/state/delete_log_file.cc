#include "service/state/delete_log_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <simdjson.h>
#include <unistd.h>

#include <fstream>
#include <utility>

#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "pipeline/model/record.h"
#include "pipeline/state_keys.h"
#include "storage/files.h"

namespace neardup {
namespace {

constexpr std::string_view kName = "/deletes";
constexpr int kDeleteLogVersion = 1;
constexpr off_t kTail = 1 << 16;  // longer than any line

std::string head_line(Store& store) {
  return JsonObject()
             .number("neardup_deletes", kDeleteLogVersion)
             .text("state", store.meta("uuid").value_or(""))
             .str() +
         '\n';
}

std::string line_of(const LoggedDelete& entry) {
  return JsonObject()
             .number("number", entry.number)
             .number("before_seq", entry.before)
             .number("seq", entry.seq)
             .number("time_ms", entry.time_ms)
             .text("namespace", entry.key.name_space)
             .text("id", entry.key.id)
             .str() +
         '\n';
}

// Throws simdjson_error.
LoggedDelete entry_of(simdjson::dom::parser& parser, const std::string& line) {
  const simdjson::dom::element root = parser.parse(simdjson::padded_string(line));
  LoggedDelete entry;
  entry.number = root["number"];
  entry.before = root["before_seq"];
  entry.seq = root["seq"];
  entry.time_ms = root["time_ms"];
  entry.key.name_space = std::string_view(root["namespace"]);
  entry.key.id = std::string_view(root["id"]);
  return entry;
}

constexpr std::uint64_t kMostDeletes = 999'999'999'999;  // their keys have 12 digits

// Whether `mirror_deletes` could have written it behind the entry with number `before`.
bool is_sound(const LoggedDelete& entry, std::uint64_t before) {
  const auto& [name_space, id] = entry.key;
  return entry.number > before && entry.number <= kMostDeletes && entry.seq > 0 &&
         entry.seq <= kMaxSeq && entry.before > 0 && entry.before <= kMaxSeq + 1 && !id.empty() &&
         id.size() <= kMaxIdBytes && name_space.size() <= kMaxIdBytes;
}

std::string read_at(const Descriptor& file, off_t from, std::size_t most, const std::string& path) {
  std::string bytes(most, '\0');
  const ssize_t got = ::pread(file.get(), bytes.data(), bytes.size(), from);
  if (got < 0) fail_file("reading", path);
  bytes.resize(static_cast<std::size_t>(got));
  return bytes;
}

// Cuts off an incomplete last line. Returns the number in the last complete one, 0 in the head.
std::uint64_t mend(const Descriptor& file, const std::string& path) {
  const off_t size = ::lseek(file.get(), 0, SEEK_END);
  const off_t from = std::max<off_t>(0, size - kTail);
  std::string tail = read_at(file, from, static_cast<std::size_t>(size - from), path);
  const std::size_t end = tail.rfind('\n') + 1;
  if (::ftruncate(file.get(), from + static_cast<off_t>(end)) != 0) fail_file("cutting", path);
  ::lseek(file.get(), 0, SEEK_END);
  if (end == 0) return 0;
  tail.resize(end - 1);
  try {
    simdjson::dom::parser parser;
    return entry_of(parser, tail.substr(tail.rfind('\n') + 1)).number;
  } catch (const simdjson::simdjson_error&) {
    return 0;
  }
}

std::string lines_after(std::uint64_t number, std::uint64_t last, Store& store) {
  std::string lines;
  while (number < last) {
    const std::string key = delete_meta_key(kMetaDeleteLog, ++number);
    const auto value = store.meta(key);
    if (!value) continue;  // forgotten by `compact --purge`
    const auto entry = decode_delete(kMetaDeleteLog, key, *value);
    if (!entry) throw Failure(Exit::kIo, "the state is damaged: its log of deletes at " + key);
    lines += line_of(*entry);
  }
  return lines;
}

}  // namespace

void mirror_deletes(const std::string& state, Store& store) {
  const auto last = static_cast<std::uint64_t>(meta_number(store, kMetaDeleteCount, 0));
  if (last == 0) return;
  const std::string path = state + std::string(kName);
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file.open()) fail_file("opening", path);
  const std::string head = head_line(store);
  std::uint64_t number = mend(file, path);
  if (read_at(file, 0, head.size(), path) != head) {
    if (::ftruncate(file.get(), 0) != 0) fail_file("cutting", path);
    ::lseek(file.get(), 0, SEEK_SET);
    write_all(file, head, path);
    number = 0;
  }
  write_all(file, lines_after(number, last, store), path);
  sync(file, path);
  sync_directory(state);
}

void forget_deletes(const std::string& state) {
  ::unlink((state + std::string(kName)).c_str());
  sync_directory(state);
}

DeleteLog read_delete_log(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Failure(Exit::kUnreadable, file + ": cannot be read");
  DeleteLog log;
  simdjson::dom::parser parser;
  std::string line;
  std::uint64_t number = 0;
  try {
    while (std::getline(in, line) && !in.eof()) {
      if (++number == 1) {
        const simdjson::dom::element head = parser.parse(simdjson::padded_string(line));
        if (std::int64_t{head["neardup_deletes"]} != kDeleteLogVersion)
          throw Failure(Exit::kUnreadable, file + ": a log of another version");
        log.state = std::string_view(head["state"]);
      } else {
        LoggedDelete entry = entry_of(parser, line);
        if (!is_sound(entry, log.entries.empty() ? 0 : log.entries.back().number)) {
          throw Failure(Exit::kUnreadable,
                        fmt::format("{}:{}: not an entry that follows the one before it: the log "
                                    "is damaged; use a copy of it",
                                    file, number));
        }
        log.entries.push_back(std::move(entry));
      }
    }
  } catch (const simdjson::simdjson_error& error) {
    throw Failure(Exit::kUnreadable, fmt::format("{}:{}: not a line of a log of deletes: {}", file,
                                                 number, error.what()));
  }
  if (number == 0) throw Failure(Exit::kUnreadable, file + ": is empty, not a log of deletes");
  return log;
}

}  // namespace neardup
