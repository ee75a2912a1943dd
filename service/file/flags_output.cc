#include <fcntl.h>
#include <unistd.h>

#include <exception>
#include <filesystem>
#include <utility>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/arrow/module.h"
#include "service/file/arrow_library.h"
#include "service/file/file_delivery.h"
#include "service/file/input_list.h"
#include "storage/files.h"

namespace neardup {
namespace {

constexpr std::string_view kParquetKey = "output_parquet";
constexpr std::string_view kRowsSuffix = ".rows";
constexpr const char* kNothing = "/dev/null";

// Throws Failure(kUsage) in a program without Arrow.
const ArrowModule& arrow_for(const std::string& path) {
  const ArrowModule* const module = arrow_module();
  if (module == nullptr)
    throw Failure(Exit::kUsage, fmt::format("{} would be Parquet, and {}", path, arrow_remedy()));
  return *module;
}

}  // namespace

// Every error is a Failure(kIo) that names the path.
class FlagsOutput::ParquetFile {
 public:
  explicit ParquetFile(const std::string& path) : path_(path), unfinished_(path + ".new") {
    try {
      file_ = arrow_for(path).create_flags(unfinished_);
    } catch (const Failure&) {
      throw;
    } catch (const std::exception& error) {
      fail(error.what());
    }
  }
  ~ParquetFile() {
    if (file_) ::unlink(unfinished_.c_str());
  }
  ParquetFile(const ParquetFile&) = delete;
  ParquetFile& operator=(const ParquetFile&) = delete;

  void add(std::string_view lines) {
    try {
      file_->add(lines);
    } catch (const std::exception& error) {
      fail(error.what());
    }
  }

  void finish() {
    try {
      file_->finish();
    } catch (const std::exception& error) {
      fail(error.what());
    }
    sync(Descriptor(::open(unfinished_.c_str(), O_RDONLY | O_CLOEXEC)), unfinished_);
    rename_file(unfinished_, path_);
    file_.reset();
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw Failure(Exit::kIo, fmt::format("cannot write flags to {}: {}", path_, what));
  }

  std::string path_;
  std::string unfinished_;
  std::unique_ptr<ParquetFlags> file_;  // null: finished
};

FlagsOutput::FlagsOutput(FlagsFileOptions file, bool all_read, const FlagWriter& writer,
                         Store& store, AllRejected* rejected, Emitter* emitted)
    : store_(store) {
  const bool durable = file.durable;
  const bool is_parquet = file.path.ends_with(".parquet");
  if (is_parquet && !durable) {
    parquet_ = std::make_unique<ParquetFile>(absolute_path(file.path));
    delivery_.emplace(
        writer, [this](std::string_view lines, WriteSet&) { parquet_->add(lines); }, rejected,
        emitted);
    return;
  }
  if (is_parquet) {
    open_rows(std::move(file), all_read);
  } else {
    file_.emplace(file);
  }
  delivery_.emplace(writer, *file_, rejected, durable, emitted);
}

FlagsOutput::~FlagsOutput() = default;

void FlagsOutput::open_rows(FlagsFileOptions file, bool all_read) {
  parquet_path_ = absolute_path(file.path);
  arrow_for(parquet_path_);
  const bool is_ours =
      store_.meta(kParquetKey) == parquet_path_ && std::filesystem::exists(parquet_path_);
  file.path = parquet_path_ + std::string(kRowsSuffix);
  const bool has_rows = file.stored && parse_output(*file.stored).path == file.path;
  if (is_ours && !has_rows) {
    if (!all_read) {
      throw Failure(Exit::kUsage,
                    fmt::format("{} has the flags of an earlier run over this state, and a Parquet "
                                "file takes no more rows: give -o another name",
                                parquet_path_));
    }
    ::unlink(file.path.c_str());  // of a run that was killed after its commit
    parquet_path_.clear();
    file.path = kNothing;
    file.stored.reset();
  }
  file_.emplace(file);
}

void FlagsOutput::begin() {
  if (!file_) return;
  file_->begin();
  if (file_->later().flags == 0) return;
  notes_.push_back(fmt::format("{} flags after the restored backup were moved to {}",
                               file_->later().flags, file_->later().path));
}

void FlagsOutput::finish(bool stopped) {
  if (parquet_ && !stopped) parquet_->finish();
  if (parquet_path_.empty()) return;
  if (!stopped) return make_parquet();
  notes_.push_back(
      fmt::format("the flags so far are in {}: the same command continues, and makes {} "
                  "at its end",
                  file_->path(), parquet_path_));
}

// After a crash a later run does it again, until the rows are no longer in the state.
void FlagsOutput::make_parquet() {
  const std::string& rows = file_->path();
  ParquetFile parquet(parquet_path_);
  read_pieces(rows, 0, [&](std::string_view piece) {
    parquet.add(piece);
    return true;
  });
  parquet.finish();
  WriteSet writes;
  writes.meta.emplace_back(kOutputKey, "");
  writes.meta.emplace_back(kOutputBatchKey, "");
  writes.meta.emplace_back(kParquetKey, parquet_path_);
  store_.commit(writes);
  ::unlink(rows.c_str());
}

}  // namespace neardup
