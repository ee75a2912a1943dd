// The records of a run as their inputs have them, in files by what became of them (docs/files.md).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/base/enum_name.h"
#include "pipeline/model/flag.h"
#include "pipeline/ports.h"
#include "service/file/input_list.h"
#include "storage/store.h"

namespace neardup {

enum class EmitKind : std::uint8_t { kKept, kDuplicates, kRejected, kDeleted };
inline constexpr std::array<std::string_view, 4> kEmitKindNames{"kept", "duplicates", "rejected",
                                                                "deleted"};
constexpr std::span<const std::string_view> names(EmitKind) { return kEmitKindNames; }

EmitKind emit_kind(Status status);

// A path for each kind, "": none.
using EmitPaths = std::array<std::string, kEmitKindNames.size()>;

// The paths of KIND=PATH words. Throws Failure(kUsage) for an unknown kind, one that is given
// twice, a suffix of another compression than .gz and .zst, and a path that is `output`, one of
// `inputs` or that of another kind.
EmitPaths emit_paths(const std::vector<std::string>& words, const std::string& output,
                     const std::vector<std::string>& inputs);

// What the format of the inputs asks of the files.
struct EmitForm {
  std::string head = {};        // what each begins with
  bool record_members = false;  // gzip has a member for each record, as readers of WARC want it
};

// Throws Failure(kUsage) when inputs have several formats, or tables other columns, and what
// open_reader throws.
EmitForm emit_form(const std::vector<std::string>& inputs);

// What a state stores of them:
//
//   meta key  emit/<kind>       as of a flags file (stored_output.h)
//   meta key  emit_tail/<kind>  a zstd frame: records that are not yet in a compressed file
//
// Compressed files are frames or members of 1 MiB of whole records, so that their bytes do not
// depend on batches, and on where a run was interrupted.
inline constexpr std::string_view kEmitPrefix = "emit/";
inline constexpr std::string_view kEmitTailPrefix = "emit_tail/";

struct EmitOptions {
  EmitPaths paths;
  EmitForm form = {};
  MetaValues stored = {};  // all meta values under both prefixes
  bool half_read = false;  // this run finishes an interrupted one
  bool durable = false;    // the state is kept for a later run
  unsigned threads = 1;    // that compress
};

class EmitFiles {
 public:
  // Opens the files, as FlagsFile does. Throws as it, and Failure(kUnavailable) when the
  // interrupted run had other kinds.
  explicit EmitFiles(const EmitOptions& options);
  ~EmitFiles();

  // Requires: the source keeps what is stored. Throws Failure(kIo).
  void add(const RawRecord& record, Status status);
  // Syncs the files, and adds their values for the state.
  void store(WriteSet& writes);
  // After the last record.
  void finish();

  struct Written {
    EmitKind kind;
    std::string path;
    std::uint64_t records;  // of this run
  };
  std::vector<Written> written() const;
  // Records of these kinds that were too large to be read, and are in no file.
  std::uint64_t left_out() const { return left_out_; }

 private:
  class File;

  std::array<std::unique_ptr<File>, kEmitKindNames.size()> files_;
  std::vector<std::string> outdated_;  // keys of earlier runs
  std::uint64_t left_out_ = 0;
};

}  // namespace neardup
