#include "service/state/backup_manifest.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <simdjson.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <set>
#include <system_error>

#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "pipeline/base/quantities.h"
#include "pipeline/model/types.h"
#include "service/kafka/message/commit_metadata.h"
#include "storage/files.h"

namespace neardup {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

[[noreturn]] void unreadable(const std::string& path) {
  throw Failure(Exit::kUnreadable,
                fmt::format("{}: {}", path, std::generic_category().message(errno)));
}

using simdjson::dom::element;

constexpr int kManifestVersion = 1;

[[noreturn]] void refuse(const std::string& path, std::string_view why) {
  throw Failure(Exit::kUnreadable, fmt::format("{} is not a complete backup: {}", path, why));
}

std::string files_json(const std::vector<CopiedFile>& files) {
  std::string array;
  for (const CopiedFile& file : files) {
    array += array.empty() ? "[\n" : ",\n";
    array += JsonObject()
                 .text("name", file.name)
                 .number("bytes", file.bytes)
                 .text("xxh3_128", file.xxh3_128)
                 .str();
  }
  return array + "\n]";
}

constexpr std::int64_t kYear10000 = 253'402'300'800'000;  // ms
constexpr std::size_t kLongestName = 255;

// False for a name that leads out of the directory, or that another one could be taken for.
bool is_plain(std::string_view name) {
  const auto printed = [](char c) { return c > ' ' && c < '\x7f' && c != '/'; };
  return !name.empty() && name.size() <= kLongestName && name[0] != '.' && name != kManifestName &&
         std::ranges::all_of(name, printed);
}

bool is_hexadecimal(std::string_view text, std::size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool are_sound(const std::vector<CopiedFile>& files) {
  std::set<std::string_view> names;
  std::uint64_t bytes = 0;
  for (const CopiedFile& file : files) {
    if (!is_plain(file.name) || !is_hexadecimal(file.xxh3_128, 32)) return false;
    if (!names.insert(file.name).second) return false;
    if (__builtin_add_overflow(bytes, file.bytes, &bytes)) return false;
  }
  return !files.empty();
}

// Whether a program could have written it.
bool is_sound(const BackupManifest& manifest) {
  if (manifest.next_seq == 0 || manifest.next_seq > kMaxSeq + 1) return false;
  if (manifest.made_ms < 0 || manifest.made_ms >= kYear10000) return false;
  if (!manifest.rule.empty() && !is_hexadecimal(manifest.rule, 16)) return false;
  return are_sound(manifest.files);
}

// Throws simdjson_error.
BackupManifest parse(const element& root) {
  BackupManifest manifest;
  manifest.format = root["state_format"];
  manifest.uuid = std::string_view(root["uuid"]);
  manifest.rule = std::string_view(root["rule"]);
  manifest.next_seq = root["next_seq"];
  manifest.deletes = root["deleted_by_command"];
  manifest.documents = root["documents"];
  manifest.made_ms = root["made_ms"];
  for (const element file : root["files"].get_array()) {
    manifest.files.push_back({std::string(std::string_view(file["name"])), file["bytes"],
                              std::string(std::string_view(file["xxh3_128"]))});
  }
  return manifest;
}

}  // namespace

CopiedFile copy_file(const std::string& from, const std::string& to, const std::string& name,
                     const CopyProgress& progress) {
  const std::string source = from + '/' + name;
  const std::string target = to + '/' + name;
  const Descriptor in(::open(source.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!in.open()) unreadable(source);
  const Descriptor out(::open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!out.open()) fail_file("creating", target);
  const std::unique_ptr<XXH3_state_t, FreeState> hash(XXH3_createState());
  XXH3_128bits_reset(hash.get());
  CopiedFile copied{name, 0, {}};
  std::string piece(kPiece, '\0');
  while (true) {
    const ssize_t got = ::read(in.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) unreadable(source);
    if (got == 0) break;
    const std::string_view bytes(piece.data(), static_cast<std::size_t>(got));
    XXH3_128bits_update(hash.get(), bytes.data(), bytes.size());
    write_all(out, bytes, target);
    copied.bytes += bytes.size();
    progress(bytes.size());
  }
  sync(out, target);
  const XXH128_hash_t digest = XXH3_128bits_digest(hash.get());
  copied.xxh3_128 = fmt::format("{:016x}{:016x}", digest.high64, digest.low64);
  return copied;
}

std::uint64_t BackupManifest::bytes() const {
  std::uint64_t sum = 0;
  for (const CopiedFile& file : files) sum += file.bytes;
  return sum;
}

std::string manifest_json(const BackupManifest& manifest) {
  JsonObject object;
  object.number("neardup_backup", kManifestVersion).number("state_format", manifest.format);
  object.text("uuid", manifest.uuid).text("rule", manifest.rule);
  object.number("next_seq", manifest.next_seq).number("deleted_by_command", manifest.deletes);
  if (const auto mark = decode_mark(manifest.kafka_mark)) {
    object.number("batch", mark->batch).text("kafka", manifest.kafka_mark);
  }
  object.number("documents", manifest.documents).number("made_ms", manifest.made_ms);
  object.text("made", human_time(manifest.made_ms)).json("files", files_json(manifest.files));
  return object.str() + '\n';
}

BackupManifest read_manifest(const std::string& path) {
  const auto bytes = read_small_file(path + '/' + std::string(kManifestName));
  if (!bytes) {
    refuse(path, fmt::format("it holds no {}; a backup that was interrupted can be removed",
                             kManifestName));
  }
  try {
    simdjson::dom::parser parser;
    const element root = parser.parse(simdjson::padded_string(*bytes));
    if (std::int64_t{root["neardup_backup"]} != kManifestVersion) {
      refuse(path, "it is of another version; use the program that made it");
    }
    BackupManifest manifest = parse(root);
    if (!is_sound(manifest)) refuse(path, "its manifest is damaged");
    return manifest;
  } catch (const simdjson::simdjson_error& error) {
    refuse(path, fmt::format("its manifest is damaged: {}", error.what()));
  }
}

}  // namespace neardup
