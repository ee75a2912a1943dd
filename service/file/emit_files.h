// The records of a run as their inputs have them, by what became of them (docs/files.md): in a file
// for each kind, or, of Parquet, in parts, a file for each kind and input (emit_parts.cc).
#pragma once

#include <array>
#include <atomic>
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

enum class EmitKind : std::uint8_t {
  kKept,
  kDuplicates,
  kRejected,
  kDeleted,
  kMask,   // of parts only: which rows are kept
  kDolma,  // of JSON Lines only: attributes (emit_attributes.cc)
};
inline constexpr std::array<std::string_view, 6> kEmitKindNames{"kept",    "duplicates", "rejected",
                                                                "deleted", "mask",       "dolma"};
constexpr std::span<const std::string_view> names(EmitKind) { return kEmitKindNames; }

// Where the record itself goes: not kMask, not kDolma.
EmitKind emit_kind(Status status);

// Absolute, without a slash at its end.
std::string folder_path(const std::string& path);

// A path for each kind, "": none.
using EmitPaths = std::array<std::string, kEmitKindNames.size()>;

// The paths of KIND=PATH words. Throws Failure(kUsage) for an unknown kind, one that is given
// twice, a suffix of another compression than .gz and .zst, and a path that is `output`, one of
// `inputs` or that of another kind. Folders keep the slash at their end.
EmitPaths emit_paths(const std::vector<std::string>& words, const std::string& output,
                     const std::vector<std::string>& inputs);

// What the format of the inputs asks of the files.
struct EmitForm {
  std::string head = {};        // what each begins with
  bool record_members = false;  // gzip has a member for each record, as readers of WARC want it
  bool parts = false;           // the inputs are Parquet, and the paths are folders
};

// Requires: the inputs were planned with `keep_stored`. Throws Failure(kUsage) when they have
// several formats, or tables other columns, and for a path of another form than they ask for.
EmitForm emit_form(const std::vector<PlannedInput>& inputs, const EmitPaths& paths);

// What a state stores of them:
//
//   meta key  emit/<kind>       as of a flags file (stored_output.h)
//   meta key  emit_tail/<kind>  a zstd frame: records that are not yet in a compressed file
//   meta key  emit_parts/<kind> the absolute path of the folder of the parts (emit_parts.cc)
//
// Compressed files are frames or members of 1 MiB of whole records, so that their bytes do not
// depend on batches, and on where a run was interrupted.
inline constexpr std::string_view kEmitPrefix = "emit/";
inline constexpr std::string_view kEmitTailPrefix = "emit_tail/";
inline constexpr std::string_view kEmitPartsPrefix = "emit_parts/";
inline constexpr std::string_view kEmitPartPrefix = "emit_part/";
// Of attributes (emit_attributes.cc).
inline constexpr std::string_view kEmitAttributesPrefix = "emit_attributes/";
inline constexpr std::string_view kEmitAttributesTailPrefix = "emit_attributes_tail/";
inline constexpr std::array kEmitPrefixes{
    kEmitPrefix,      kEmitTailPrefix,       kEmitPartsPrefix,         kEmitPartPrefix,
    kEmitInputPrefix, kEmitAttributesPrefix, kEmitAttributesTailPrefix};

struct EmitOptions {
  EmitPaths paths;
  EmitForm form = {};
  MetaValues stored = {};  // all meta values under kEmitPrefixes
  bool half_read = false;  // this run finishes an interrupted one
  bool durable = false;    // the state is kept for a later run
  unsigned threads = 1;    // that compress
};

// The meta key of a kind under `prefix`, one of kEmitPrefixes that are by kind.
std::string emit_key(std::string_view prefix, EmitKind kind);

// What earlier runs stored for other kinds or forms: keys to be erased. Throws
// Failure(kUnavailable) when this run finishes one of them.
std::vector<std::string> outdated_emit_keys(const EmitOptions& options);

// The destination of records. All calls are made by the thread of a Delivery, in its order.
class Emitter {
 public:
  virtual ~Emitter() = default;

  // Before this, nothing that exists loses a byte.
  virtual void begin() = 0;
  // Requires: the source keeps what is stored. Throws Failure(kIo).
  virtual void add(const RawRecord& record, const Flag& flag) = 0;
  // Before a commit: adds values for the state. What they count on is synced.
  virtual void store(WriteSet& writes) = 0;
  virtual void after_commit() = 0;
  // After the last commit. `stopped`: records are missing.
  virtual void finish(bool stopped) = 0;

  struct Written {
    EmitKind kind;
    std::string path;
    std::uint64_t records;  // of this run
  };
  virtual std::vector<Written> written() const = 0;
  // Records of these kinds that were too large to be read, and are in no file.
  virtual std::uint64_t left_out() const = 0;
  // What the user should know, a sentence each; `begin` and `finish` add to it.
  virtual std::vector<std::string> notes() const { return {}; }
};

class EmittedFile;

class EmitFiles : public Emitter {
 public:
  // Opens the files, as FlagsFile does that waits. Throws as it, and as outdated_emit_keys.
  explicit EmitFiles(const EmitOptions& options);
  ~EmitFiles() override;

  void begin() override;
  void add(const RawRecord& record, const Flag& flag) override;
  void store(WriteSet& writes) override;
  void after_commit() override {}
  void finish(bool stopped) override;
  std::vector<Written> written() const override;
  std::uint64_t left_out() const override { return left_out_; }

 private:
  bool durable_;
  std::vector<std::string> outdated_;  // keys of earlier runs
  std::array<std::unique_ptr<EmittedFile>, kEmitKindNames.size()> files_;
  std::uint64_t left_out_ = 0;
};

// Rows of Parquet inputs in parts: for each input and kind a file FOLDER/NAME, with the name, the
// schema, the metadata and some of the rows of the input. It is written when the input was read to
// its end, as NAME.new, so a part that has its name is whole; it is not opened again.
// `inputs`: of this run, planned with `keep_stored`. `output`: the file of the flags. `store` and
// `stop` must outlive it. Throws Failure(kUsage) when two inputs have one name or a part would be
// an input or `output`, and in a program without Arrow; Failure(kUnavailable) as
// outdated_emit_keys, for other folders than the interrupted run had, and when an input whose parts
// are missing is another file now. `finish` waits for all parts; it, `store` and `after_commit`
// throw what writing them has failed with.
std::unique_ptr<Emitter> make_emit_parts(const EmitOptions& options,
                                         const std::vector<PlannedInput>& inputs,
                                         const std::string& output, Store& store,
                                         const std::atomic<bool>& stop);

// Besides `records`, where those themselves go, attributes for the Dolma toolkit: for each input of
// JSON Lines a file of its name below the folder, with a line for each record in its order
// (docs/files.md). `inputs`: of this run, planned with `keep_stored`. `decoder` reads the texts of
// duplicates. Throws Failure(kUsage) when two inputs have one name or a file would be an input or
// `output`; Failure(kUnavailable) when an input is read on whose attributes so far are not there.
std::unique_ptr<Emitter> make_emit_attributes(const EmitOptions& options,
                                              const std::vector<PlannedInput>& inputs,
                                              const std::string& output,
                                              std::unique_ptr<Decoder> decoder,
                                              std::unique_ptr<Emitter> records);

}  // namespace neardup
