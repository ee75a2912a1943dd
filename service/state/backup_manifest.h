// The files of a backup, copied with their checksums, and its manifest: `neardup-backup.json` in
// its directory, written last, so that a directory with a manifest is a complete backup
// (docs/formats/backup.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

struct CopiedFile {
  std::string name;  // without a directory
  std::uint64_t bytes = 0;
  std::string xxh3_128;  // 32 hex digits, as `xxhsum -H2` shows them
  bool operator==(const CopiedFile&) const = default;
};

// Called with the size of each copied piece. May throw to stop the copy.
using CopyProgress = std::function<void(std::uint64_t bytes)>;

// Copies from/name to to/name, which must not exist, and syncs it. Throws Failure(kUnreadable) when
// the source cannot be read, Failure(kIo) when the copy cannot be written.
CopiedFile copy_file(const std::string& from, const std::string& to, const std::string& name,
                     const CopyProgress& progress);

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
