#include "service/file/emitted_file.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/codec.h"

namespace neardup {
namespace {

constexpr std::size_t kFrameBytes = std::size_t{1} << 20;  // after which a frame ends
constexpr std::size_t kLongestTail = (std::size_t{1} << 30) + kFrameBytes;  // with one record

std::optional<std::string> value_of(const MetaValues& stored, std::string_view key) {
  const auto at = std::ranges::find(stored, key, &MetaValues::value_type::first);
  if (at == stored.end()) return {};
  return at->second;
}

}  // namespace

EmittedFile::EmittedFile(const std::string& path, std::string key, std::string tail_key,
                         const EmitOptions& options)
    : tail_key_(std::move(tail_key)),
      file_({.path = path,
             .key = key,
             .stored = value_of(options.stored, key),
             .half_read = options.half_read,
             .durable = options.durable,
             .waits = true}),
      form_(form_of(file_.path())),
      most_frames_(std::max(options.threads, 1U)),
      frame_bytes_(options.form.record_members && form_ == Form::kGzip ? 1 : kFrameBytes) {
  if (!file_.continues()) pending_ = options.form.head;
  const auto tail = value_of(options.stored, tail_key_);
  if (!file_.continues() || !tail) return;
  auto bytes = bytes_of_zstd_frame(*tail, kLongestTail);
  if (!bytes) {
    throw Failure(Exit::kIo, fmt::format("the state has damaged records for {}: restore a backup "
                                         "of the state, or use a new --state",
                                         file_.path()));
  }
  pending_ = std::move(*bytes);
}

EmittedFile::Form EmittedFile::form_of(std::string_view path) {
  if (path.ends_with(".gz")) return Form::kGzip;
  return path.ends_with(".zst") ? Form::kZstd : Form::kPlain;
}

void EmittedFile::add(std::string_view record) {
  ++records_;
  pending_ += record;
  if (!record.ends_with('\n')) pending_ += '\n';
  if (pending_.size() >= frame_bytes_) end_frame();
}

void EmittedFile::store(WriteSet& writes) {
  if (form_ == Form::kPlain) end_frame();
  write_frames(0);
  if (!file_.regular()) return;
  file_.sync();
  file_.store(writes);
  writes.meta.emplace_back(tail_key_, pending_.empty() ? "" : zstd_frame(pending_, 1));
}

void EmittedFile::finish() {
  end_frame();
  write_frames(0);
  file_.sync();
}

void EmittedFile::end_frame() {
  std::string bytes = std::exchange(pending_, {});
  if (bytes.empty()) return;
  if (form_ == Form::kPlain) return file_.append(bytes);
  frames_.push_back(std::async(std::launch::async, [form = form_, bytes = std::move(bytes)] {
    return form == Form::kGzip ? gzip_member(bytes) : zstd_frame(bytes);
  }));
  write_frames(most_frames_);
}

// All but the latest `most`.
void EmittedFile::write_frames(std::size_t most) {
  for (; frames_.size() > most; frames_.pop_front()) file_.append(frames_.front().get());
}

}  // namespace neardup
