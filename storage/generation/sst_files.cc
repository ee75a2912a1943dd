#include "storage/generation/sst_files.h"

#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kFileBytes = std::uint64_t{256} << 20;
constexpr std::string_view kUnfinished = ".unfinished";

}  // namespace

std::string unfinished_path(const RocksdbState& state, const std::string& name,
                            std::size_t number) {
  return state.path() + '/' + name + '-' + std::to_string(number) + std::string(kUnfinished);
}

std::string index_file_name(std::uint32_t generation) {
  return "index-" + std::to_string(generation);
}

SstFiles::SstFiles(const RocksdbState& state, Family family, std::string name, std::size_t kept)
    : state_(state), family_(family), name_(std::move(name)), kept_(kept) {
  for (std::size_t i = 0; i < kept; ++i) paths_.push_back(unfinished_path(state_, name_, i));
}

SstFiles::~SstFiles() {
  std::error_code ignored;
  for (std::size_t i = kept_; i < paths_.size(); ++i) fs::remove(paths_[i], ignored);
}

void SstFiles::open() {
  paths_.push_back(unfinished_path(state_, name_, paths_.size()));
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

void SstFiles::keep() {
  std::unique_ptr<rocksdb::Directory> directory;
  state_.check(state_.db().GetEnv()->NewDirectory(state_.path(), &directory), "writing the index");
  state_.check(directory->Fsync(), "writing the index");
  kept_ = paths_.size();
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

void remove_unfinished_files(const RocksdbState& state, const std::string& name, std::size_t kept) {
  std::set<fs::path> spared;
  for (std::size_t i = 0; i < kept; ++i) spared.insert(unfinished_path(state, name, i));
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(state.path(), ignored)) {
    if (entry.path().extension() != kUnfinished || spared.contains(entry.path())) continue;
    fs::remove(entry.path(), ignored);
  }
}

}  // namespace neardup
