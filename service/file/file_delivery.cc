#include "service/file/file_delivery.h"

#include "pipeline/base/json_object.h"
#include "storage/store.h"

namespace neardup {

SourceFormat file_sources(const std::vector<std::string>& names) {
  std::vector<std::string> heads;
  for (const std::string& name : names) {
    heads.push_back(R"({"file":)" + json_text(name) + R"(,"line":)");
  }
  return [heads = std::move(heads)](const SourcePosition& source, std::string& out) {
    out.append(heads.at(source.input)).append(std::to_string(source.place)).push_back('}');
  };
}

FileDelivery::FileDelivery(FlagWriter writer, FlagsFile& file, AllRejected* rejected, bool durable,
                           Emitter* emitted)
    : writer_(std::move(writer)),
      file_(file),
      rejected_(rejected),
      emitted_(emitted),
      durable_(durable) {}

void FileDelivery::add(const RawChunk& chunk, std::vector<Flag>& flags) {
  for (std::size_t i = 0; i < flags.size(); ++i) {
    writer_.append(flags[i], lines_);
    if (emitted_ != nullptr) emitted_->add(chunk.records[i], flags[i].status);
    if (rejected_ != nullptr) rejected_->add(chunk.records[i], flags[i].reason, flags[i].detail);
  }
}

void FileDelivery::before_commit(WriteSet& writes) {
  file_.append(lines_);
  lines_.clear();
  if (emitted_ != nullptr) emitted_->store(writes);
  if (!durable_ || !file_.regular()) return;
  file_.sync();
  file_.store(writes);
}

void FileDelivery::after_commit() {
  if (emitted_ != nullptr) emitted_->after_commit();
}

}  // namespace neardup
