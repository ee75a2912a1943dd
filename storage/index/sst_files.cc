#include "storage/index/sst_files.h"

#include <filesystem>
#include <system_error>
#include <utility>

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kFileBytes = std::uint64_t{256} << 20;
constexpr std::string_view kUnfinished = ".unfinished";

}  // namespace

SstFiles::SstFiles(const RocksdbState& state, Family family, std::string name)
    : state_(state), family_(family), name_(std::move(name)) {}

SstFiles::~SstFiles() {
  std::error_code ignored;
  for (const std::string& path : paths_) fs::remove(path, ignored);
}

void SstFiles::open() {
  paths_.push_back(state_.path() + '/' + name_ + '-' + std::to_string(paths_.size()) +
                   std::string(kUnfinished));
  writer_ = std::make_unique<rocksdb::SstFileWriter>(rocksdb::EnvOptions(), state_.options(family_),
                                                     state_.family(family_));
  state_.check(writer_->Open(paths_.back()), "writing the index");
}

void SstFiles::close() {
  state_.check(writer_->Finish(), "writing the index");
  writer_.reset();
}

void SstFiles::put(std::string_view key, std::string_view value) {
  if (writer_ != nullptr && writer_->FileSize() >= kFileBytes) close();
  if (writer_ == nullptr) open();
  state_.check(writer_->Put(rocksdb::Slice(key), rocksdb::Slice(value)), "writing the index");
}

void SstFiles::finish() {
  if (writer_ != nullptr) close();
}

void ingest(const RocksdbState& state, const std::vector<const SstFiles*>& files) {
  std::vector<rocksdb::IngestExternalFileArg> args;
  for (const SstFiles* file : files) {
    if (file->paths().empty()) continue;
    rocksdb::IngestExternalFileArg& arg = args.emplace_back();
    arg.column_family = state.family(file->family());
    arg.external_files = file->paths();
    arg.options.move_files = true;
    arg.options.snapshot_consistency = false;
    arg.options.write_global_seqno = false;
  }
  if (!args.empty()) state.check(state.db().IngestExternalFiles(args), "growing the index");
}

void remove_unfinished_files(const std::string& state_path) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(state_path, ignored)) {
    if (entry.path().extension() == kUnfinished) fs::remove(entry.path(), ignored);
  }
}

}  // namespace neardup
