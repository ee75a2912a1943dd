// The manifest of a backup: `neardup-backup.json` in its directory, written last, so that a
// directory with a manifest is a complete backup (docs/formats/backup.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "service/state/copy_file.h"

namespace neardup {

inline constexpr std::string_view kManifestName = "neardup-backup.json";

struct BackupManifest {
  std::uint64_t format = 0;  // of the state
  std::string uuid;          // of the state
  std::string rule;          // fingerprint; empty: the state has none yet
  std::uint64_t next_seq = 1;
  std::uint64_t deletes = 0;  // by command, up to this backup
  std::string kafka_mark;     // of a service's state (docs/formats/kafka.md), else empty
  std::uint64_t documents = 0;
  std::int64_t made_ms = 0;  // wall clock, since 1970
  std::vector<CopiedFile> files;

  std::uint64_t bytes() const;
};

std::string manifest_json(const BackupManifest& manifest);

// The manifest of the backup at `path`. Throws Failure(kUnreadable) when it is missing or
// damaged: then the backup is not complete.
BackupManifest read_manifest(const std::string& path);

}  // namespace neardup
