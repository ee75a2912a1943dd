#include "service/library_versions.h"

#include <fmt/core.h>
#include <simdjson.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include <CLI/Version.hpp>

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

std::string xxhash_version() {
  const unsigned version = XXH_versionNumber();
  return dotted(version / 10000, version / 100 % 100, version % 100);
}

}  // namespace

std::string version_text() {
  return fmt::format(
      "neardup {}\nRocksDB {}, ICU {}, simdjson {}, zstd {}, zlib {}, xxHash {}, yaml-cpp {}, fmt "
      "{}, CLI11 {}",
      NEARDUP_VERSION, rocksdb_version(), NEARDUP_ICU_VERSION, SIMDJSON_STRINGIFY(SIMDJSON_VERSION),
      ZSTD_versionString(), zlibVersion(), xxhash_version(), NEARDUP_YAML_CPP_VERSION,
      fmt_version(), CLI11_VERSION);
}

}  // namespace neardup
