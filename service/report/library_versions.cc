#include "service/report/library_versions.h"

#include <bzlib.h>
#include <fmt/core.h>
#include <lz4.h>
#include <lzma.h>
#include <simdjson.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include <CLI/Version.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/base/json_object.h"
#include "service/file/arrow_library.h"
#include "service/kafka/client/client_conf.h"
#include "service/revision.h"
#include "service/version.h"
#include "storage/rocksdb_store.h"

namespace neardup {
namespace {

std::string dotted(unsigned major, unsigned minor, unsigned patch) {
  return fmt::format("{}.{}.{}", major, minor, patch);
}

// Numbers such as 90100 for 9.1.0.
std::string fmt_version() {
  return dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100);
}

// Its SIMDJSON_VERSION is a word in some versions and a quoted string in others.
std::string simdjson_version() {
  return dotted(simdjson::SIMDJSON_VERSION_MAJOR, simdjson::SIMDJSON_VERSION_MINOR,
                simdjson::SIMDJSON_VERSION_REVISION);
}

// From the headers: a static librdkafka brings the XXH_versionNumber() of an older copy.
std::string xxhash_version() {
  return dotted(XXH_VERSION_MAJOR, XXH_VERSION_MINOR, XXH_VERSION_RELEASE);
}

// "1.0.8, 13-Jul-2019".
std::string bzip2_version() {
  const std::string_view text = BZ2_bzlibVersion();
  return std::string(text.substr(0, text.find(',')));
}

using Versions = std::vector<std::pair<std::string_view, std::string>>;

Versions library_versions() {
  Versions versions{{"RocksDB", rocksdb_version()},
                    {"librdkafka", kafka_client_version()},
                    {"ICU", NEARDUP_ICU_VERSION},
                    {"simdjson", simdjson_version()},
                    {"zstd", ZSTD_versionString()},
                    {"zlib", zlibVersion()},
                    {"bzip2", bzip2_version()},
                    {"liblzma", lzma_version_string()},
                    {"lz4", LZ4_versionString()},
                    {"xxHash", xxhash_version()},
                    {"yaml-cpp", NEARDUP_YAML_CPP_VERSION},
                    {"fmt", fmt_version()},
                    {"CLI11", CLI11_VERSION}};
  if (const ArrowModule* arrow = arrow_module())
    versions.emplace_back("Arrow", arrow->arrow_version);
  return versions;
}

}  // namespace

std::string program_version() { return NEARDUP_VERSION; }

std::string version_text() {
  std::string text = fmt::format("neardup {}\nrevision {}\n", NEARDUP_VERSION, source_revision());
  std::string_view separator;
  for (const auto& [name, version] : library_versions()) {
    text.append(separator).append(name).append(" ").append(version);
    separator = ", ";
  }
  return text;
}

std::vector<std::string> build_versions() {
  return {NEARDUP_VERSION, std::string(source_revision()), rocksdb_version(),
          kafka_client_version()};
}

std::string version_json() {
  JsonObject libraries;
  for (const auto& [name, version] : library_versions()) libraries.text(name, version);
  return JsonObject()
      .text("version", NEARDUP_VERSION)
      .text("revision", source_revision())
      .json("libraries", libraries.str())
      .str();
}

}  // namespace neardup
