#include <fcntl.h>
#include <unistd.h>

#include <exception>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/arrow_library.h"
#include "service/file/file_delivery.h"
#include "service/file/input_list.h"
#include "storage/files.h"

namespace neardup {
ParquetDelivery::ParquetDelivery(const std::string& path, std::vector<std::string> names,
                                 Ppm threshold, std::string_view rule, AllRejected* rejected,
                                 Emitter* emitted)
    : path_(absolute_path(path)),
      unfinished_(path_ + ".new"),
      names_(std::move(names)),
      rejected_(rejected),
      emitted_(emitted) {
  const ArrowModule* const module = arrow_module();
  if (module == nullptr)
    throw Failure(Exit::kUsage, fmt::format("{} would be Parquet, and {}", path, arrow_remedy()));
  try {
    file_ = module->create_flags(unfinished_, threshold, rule);
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

ParquetDelivery::~ParquetDelivery() {
  if (file_) ::unlink(unfinished_.c_str());
}

void ParquetDelivery::fail(std::string_view what) const {
  throw Failure(Exit::kIo, fmt::format("cannot write flags to {}: {}", path_, what));
}

void ParquetDelivery::add(const RawChunk& chunk, std::vector<Flag>& flags) {
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const Flag& flag = flags[i];
    try {
      file_->add(flag, names_.at(flag.source.input));
    } catch (const std::exception& error) {
      fail(error.what());
    }
    if (emitted_ != nullptr) emitted_->add(chunk.records[i], flag.status);
    if (rejected_ != nullptr) rejected_->add(chunk.records[i], flag.reason, flag.detail);
  }
}

void ParquetDelivery::before_commit(WriteSet& writes) {
  if (emitted_ != nullptr) emitted_->store(writes);
}

void ParquetDelivery::after_commit() {
  if (emitted_ != nullptr) emitted_->after_commit();
}

void ParquetDelivery::finish() {
  try {
    file_->finish();
  } catch (const std::exception& error) {
    fail(error.what());
  }
  sync(Descriptor(::open(unfinished_.c_str(), O_RDONLY | O_CLOEXEC)), unfinished_);
  rename_file(unfinished_, path_);
  file_.reset();
}

}  // namespace neardup
