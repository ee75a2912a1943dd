#include "service/state/backup_manifest.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>

#include "pipeline/core/failure.h"
#include "service/kafka/message/commit_metadata.h"
#include "service/records/json_object.h"
#include "service/report/quantities.h"
#include "service/state/files.h"

namespace neardup {
namespace {

using simdjson::dom::element;

constexpr int kManifestVersion = 1;

[[noreturn]] void refuse(const std::string& path, std::string_view why) {
  throw Failure(Exit::kUnreadable, fmt::format("{} is not a whole backup: {}", path, why));
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

// False for a name that leads out of the directory.
bool is_plain(std::string_view name) {
  return !name.empty() && name[0] != '.' && name.find('/') == name.npos && name != kManifestName;
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
    const auto plain = [](const CopiedFile& file) { return is_plain(file.name); };
    if (manifest.files.empty() || !std::ranges::all_of(manifest.files, plain)) {
      refuse(path, "its manifest is damaged");
    }
    return manifest;
  } catch (const simdjson::simdjson_error& error) {
    refuse(path, fmt::format("its manifest is damaged: {}", error.what()));
  }
}

}  // namespace neardup
