// What a restore is given besides the files of a state: the manifest of a backup, or, by the first
// byte, a log of deletes. They are refused, or all in them can be used and written again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "pipeline/base/failure.h"
#include "pipeline/base/quantities.h"
#include "service/state/backup_manifest.h"
#include "service/state/delete_log_file.h"
#include "tests/fuzz/input_file.h"
#include "tests/scratch_directory.h"

namespace neardup {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

const ScratchDirectory& folder() {
  static const ScratchDirectory folder;
  return folder;
}

BackupManifest read(std::string_view bytes) {
  folder().write(kManifestName, bytes);
  return read_manifest(folder().path());
}

void try_manifest(std::string_view bytes) {
  const BackupManifest manifest = read(bytes);
  for (const CopiedFile& file : manifest.files) {
    require(file.name.find('/') == file.name.npos && file.name.front() != '.');
    require(file.name.size() == std::char_traits<char>::length(file.name.c_str()));
    require(file.bytes <= manifest.bytes());
  }
  require(manifest.next_seq > 0 && human_time(manifest.made_ms).size() == 24);
  const BackupManifest again = read(manifest_json(manifest));
  require(again.uuid == manifest.uuid && again.rule == manifest.rule &&
          again.next_seq == manifest.next_seq && again.deletes == manifest.deletes &&
          again.documents == manifest.documents && again.made_ms == manifest.made_ms &&
          again.format == manifest.format && again.files == manifest.files);
}

// Entries become values of the state, whose keys are sorted by their numbers.
void try_delete_log(std::string_view bytes) {
  const InputFile file(bytes);
  std::string before;
  for (const LoggedDelete& entry : read_delete_log(file.path()).entries) {
    const std::string key = delete_meta_key("log/", entry.number);
    require(key > before);
    require(decode_delete("log/", key, encode_delete(entry)) == entry);
    before = key;
  }
}

}  // namespace
}  // namespace neardup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    data[0] % 2 == 0 ? neardup::try_manifest(bytes) : neardup::try_delete_log(bytes);
  } catch (const neardup::Failure& failure) {
    neardup::require(failure.exit() == neardup::Exit::kUnreadable);
  }
  return 0;
}
