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

FileDelivery::FileDelivery(FlagWriter writer, WriteLines write, AllRejected* rejected,
                           Emitter* emitted)
    : writer_(std::move(writer)),
      write_(std::move(write)),
      rejected_(rejected),
      emitted_(emitted) {}

FileDelivery::FileDelivery(FlagWriter writer, FlagsFile& file, AllRejected* rejected, bool durable,
                           Emitter* emitted)
    : FileDelivery(
          std::move(writer),
          [&file, durable](std::string_view lines, WriteSet& writes) {
            file.append(lines);
            if (!durable || !file.regular()) return;
            file.sync();
            file.store(writes);
          },
          rejected, emitted) {}

void FileDelivery::add(const RawChunk& chunk, std::vector<Flag>& flags) {
  for (std::size_t i = 0; i < flags.size(); ++i) {
    writer_.append(flags[i], lines_);
    if (emitted_ != nullptr) emitted_->add(chunk.records[i], flags[i]);
    if (rejected_ != nullptr) rejected_->add(chunk.records[i], flags[i].reason, flags[i].detail);
  }
}

void FileDelivery::before_commit(WriteSet& writes) {
  if (emitted_ != nullptr) emitted_->store(writes);
  write_(lines_, writes);
  lines_.clear();
}

void FileDelivery::after_commit() {
  if (emitted_ != nullptr) emitted_->after_commit();
}

}  // namespace neardup
