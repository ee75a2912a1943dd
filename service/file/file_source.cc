#include "service/file/file_source.h"

#include <algorithm>

#include "fmt/format.h"
#include "pipeline/base/utf8.h"
#include "pipeline/model/text_batch.h"
#include "service/records/found_fields.h"
#include "service/records/json_scan.h"

namespace neardup {
namespace {

// The name begins ids, which are UTF-8.
void name_ids(PlannedInput& input) {
  if (!input.position.fields) return;
  replace_invalid_utf8(input.path, input.position.fields->input);
}

}  // namespace

FileSource::FileSource(const std::vector<std::string>& paths, const MetaValues& stored,
                       const FileSourceOptions& options)
    : list_(plan_inputs(paths, stored,
                        {.durable = options.durable,
                         .rescan = options.rescan,
                         .keep_going = options.keep_going,
                         .keep_stored = options.keep_stored,
                         .emit_inputs = options.emit_inputs})),
      options_(options) {
  bool known = true;
  for (PlannedInput& input : list_.inputs) {
    name_ids(input);
    if (input.skip) continue;
    known = known && !input.position.head_hash.empty();
    total_bytes_ += input.size;
  }
  if (!known) total_bytes_ = 0;
}

bool FileSource::read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) {
  chunk.buffer.clear();
  chunk.records.clear();
  places_.clear();
  taken_ = 0;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  try {
    fill(max_records, max_bytes, chunk);
  } catch (const Failure&) {
    if (chunk.records.empty()) throw;
    failure_ = std::current_exception();
  } catch (const ReadStopped&) {
    // An unfinished line of the pipe is dropped with the rest of it.
  }
  publish_progress();
  chunk.buffer.resize(taken_);
  chunk.buffer.append(kTextPadding, '\0');
  const std::string_view bytes = chunk.buffer;
  for (std::size_t i = 0; i < chunk.records.size(); ++i) {
    RawRecord& record = chunk.records[i];
    if (record.too_large) continue;
    record.bytes = bytes.substr(places_[i].at, record.size);
    record.stored = bytes.substr(places_[i].stored_at, places_[i].stored_size);
  }
  return !chunk.records.empty();
}

void FileSource::fill(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) {
  while (chunk.records.size() < max_records && taken_ < max_bytes) {
    try {
      if (!reader_ && !open_next()) return;
      read_line(chunk);
    } catch (const Failure& failure) {
      if (!options_.keep_going || failure.exit() != Exit::kUnreadable) throw;
      leave(failure, chunk);
    }
  }
}

void FileSource::leave(const Failure& failure, RawChunk& chunk) {
  list_.failures.emplace_back(failure.what());
  chunk.buffer.resize(taken_);  // part of a line
  if (reader_) close_reader(reader_->stored_bytes());
  ++current_;
}

void FileSource::close_reader(std::uint64_t read) {
  finished_bytes_ += read;
  if (std::string note = reader_->note(); !note.empty()) list_.notes.push_back(std::move(note));
  reader_.reset();
}

// False: no input is left.
bool FileSource::find_next() {
  for (; current_ < list_.inputs.size(); ++current_) {
    const PlannedInput& input = list_.inputs[current_];
    if (input.skip) continue;
    offered_bytes_ += input.size;
    if (!has_share(0)) return true;
  }
  return false;
}

bool FileSource::open_next() {
  if (!find_next()) return false;
  const PlannedInput& input = list_.inputs[current_];
  auto reader = open_reader(RawInput(input.path, options_.stop),
                            {options_.max_record_bytes, options_.fields});
  if (options_.keep_stored) {
    reader->keep_stored();
    if (reader->format() == kParquetFormat) set_mark(list_.inputs[current_]);
  }
  if (input.position.at.bytes > 0 && !reader->resume(input.position.at)) {
    throw Failure(
        Exit::kUnavailable,
        fmt::format(
            "{} is shorter than at the last run (line {}): restore the file, or use a new --state",
            input.path, input.position.at.lines + 1));
  }
  reader_ = std::move(reader);
  fields_are_known_ = !options_.find_fields || input.position.at.bytes > 0;
  return true;
}

// The rows that were read by an earlier run must be those of the file as it is now.
void FileSource::set_mark(PlannedInput& input) {
  std::string mark = parquet_mark(input.path);
  if (!input.mark.empty() && input.mark != mark) {
    throw Failure(Exit::kUnavailable,
                  fmt::format("{} has changed since this run began: rerun the command with the "
                              "former file, or use a new --state",
                              input.path));
  }
  input.mark = std::move(mark);
}

// Later records of an input are read as its first object, also by a run that continues there.
void FileSource::find_fields(std::string_view record) {
  auto found = neardup::find_fields(record);
  if (!found) return;
  fields_are_known_ = true;
  if (found->usual) return;
  PlannedInput& input = list_.inputs[current_];
  const std::string words = description(*found);
  if (told_.insert(words).second) {
    list_.notes.push_back(fmt::format(
        "{}: {} (input.id_field and input.text_field name other fields)", input.path, words));
  }
  input.position.fields = std::move(found);
  name_ids(input);
}

void FileSource::read_line(RawChunk& chunk) {
  PlannedInput& input = list_.inputs[current_];
  Line line;
  const bool sampled = options_.share < 1;
  const std::uint64_t before = sampled ? reader_->stored_bytes() : 0;
  if (!reader_->next(chunk.buffer, line)) {
    input.position.at = reader_->position();
    finish(reader_->stored_bytes());
  } else if (left_for_later(line, std::string_view(chunk.buffer).substr(taken_, line.size))) {
    chunk.buffer.resize(taken_);
    finish(reader_->stored_bytes());
  } else {
    if (!fields_are_known_ && !line.too_large)
      find_fields(std::string_view(chunk.buffer).substr(taken_, line.size));
    const std::optional<FoundFields>& fields = input.position.fields;
    chunk.records.push_back({.bytes = {},
                             .source = {static_cast<std::uint32_t>(current_), line.number},
                             .too_large = line.too_large,
                             .size = line.size,
                             .fields = fields ? &*fields : nullptr,
                             .faulty = line.faulty});
    places_.push_back({taken_, taken_ + line.stored_at, line.stored_size});
    taken_ = chunk.buffer.size();
    input.position.at = reader_->position();
    if (sampled && reader_->stored_bytes() > before && has_share(before)) finish(before);
  }
}

// Whether the share is read, with `current` bytes of the current input. Readers read by the block,
// so an input ends only where a block does.
bool FileSource::has_share(std::uint64_t current) const {
  return options_.share < 1 && static_cast<double>(finished_bytes_ + current) >=
                                   options_.share * static_cast<double>(offered_bytes_);
}

bool FileSource::left_for_later(const Line& line, std::string_view bytes) {
  const PlannedInput& input = list_.inputs[current_];
  if (line.ended || line.too_large || input.key.empty() || brackets_match(bytes)) return false;
  list_.notes.push_back(
      fmt::format("{}: line {} is not complete yet: the next run over this state reads it, once "
                  "the file has grown",
                  input.path, line.number));
  return true;
}

void FileSource::finish(std::uint64_t read) {
  PlannedInput& input = list_.inputs[current_];
  input.position.finished_at = read;
  close_reader(read);
  ++current_;
}

void FileSource::publish_progress() {
  const std::uint64_t current = reader_ ? reader_->stored_bytes() : 0;
  done_bytes_.store(finished_bytes_ + current, std::memory_order_relaxed);
  done_files_.store(current_, std::memory_order_relaxed);
}

std::vector<std::pair<std::string, std::string>> FileSource::positions() {
  MetaValues values;
  const std::size_t end =
      stored_to_ ? std::min(current_ + 1, list_.inputs.size()) : list_.inputs.size();
  for (std::size_t i = stored_to_.value_or(0); i < end; ++i) {
    const PlannedInput& input = list_.inputs[i];
    if (input.skip) continue;
    if (!input.mark.empty()) values.push_back(emit_value(input));
    if (!input.key.empty()) values.emplace_back(input.key, format_position(input.position));
  }
  stored_to_ = current_;
  return values;
}

std::pair<std::string, std::string> FileSource::emit_value(const PlannedInput& input) {
  EmitInput value{.mark = input.mark};
  if (input.position.finished_at) value.rows = input.position.at.lines;
  return stored_emit_input(absolute_path(input.path), value);
}

bool LaterLines::read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) {
  while (!interrupted_ && source_.read(max_records, max_bytes, chunk)) {
    skipped_ += std::erase_if(
        chunk.records, [&](const RawRecord& record) { return record.source.place < first_; });
    if (!chunk.records.empty()) return true;
  }
  chunk.buffer.clear();
  chunk.records.clear();
  return false;
}

}  // namespace neardup
