// Attributes of JSON Lines for the Dolma toolkit, which merges and filters by them (docs/files.md).
//
//   meta key  emit/dolma                    the absolute path of the folder
//   meta key  emit_attributes/<path>        of an input, by its absolute path: as emit/<kind>
//   meta key  emit_attributes_tail/<path>   as emit_tail/<kind>
//
// One file is open at a time. That of an input whose last record came in the last batch of a run is
// finished by `finish`, and after a crash by `begin` of the next run.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "service/file/emit_files.h"
#include "service/file/emitted_file.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDocuments = "documents";  // the folder that attributes lie next to

std::string of_input(std::string_view prefix, std::string_view path) {
  return std::string(prefix).append(path);
}

// What follows the last folder `documents`, else the name.
fs::path name_below(const fs::path& input) {
  fs::path below;
  bool found = false;
  for (const fs::path& part : input.parent_path()) {
    if (part == kDocuments) {
      found = true;
      below.clear();
    } else if (found) {
      below /= part;
    }
  }
  return found ? below / input.filename() : input.filename();
}

std::string real(const std::string& path) {
  std::error_code error;
  const fs::path found = fs::weakly_canonical(path, error);
  return error ? path : found.string();
}

std::uint64_t characters(std::string_view utf8) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(utf8, [](char c) { return (c & 0xc0) != 0x80; }));
}

class EmitAttributes : public Emitter {
 public:
  EmitAttributes(EmitOptions options, const std::vector<PlannedInput>& inputs,
                 const std::string& output, std::unique_ptr<Decoder> decoder,
                 std::unique_ptr<Emitter> records);

  void begin() override;
  void add(const RawRecord& record, const Flag& flag) override;
  void store(WriteSet& writes) override;
  void after_commit() override { records_->after_commit(); }
  void finish(bool stopped) override;
  std::vector<Written> written() const override;
  std::uint64_t left_out() const override { return records_->left_out(); }
  std::vector<std::string> notes() const override;

 private:
  struct Input {
    std::string path = {};    // absolute
    std::string target = {};  // of its attributes
    bool skip = false;
    bool continues = false;  // is read on where an earlier run ended
    bool opened = false;
  };

  void take_target(Input& input);
  void require_own_files(const std::string& output) const;
  void take_stored();
  void require_attributes(const Input& input, bool tail);
  bool is_there(const std::string& path) const;
  std::string* stored_value(std::string_view prefix, const std::string& path);
  std::unique_ptr<EmittedFile> open(const std::string& path, const std::string& target,
                                    bool continues);
  void move_to(std::size_t input);
  void close_current();
  std::string line_of(const RawRecord& record, const Flag& flag);

  EmitOptions options_;
  std::string folder_;     // absolute, without a slash at its end
  std::string attribute_;  // its name as a JSON string
  std::vector<Input> inputs_;
  std::map<std::string, std::string> stored_;  // by meta key
  std::vector<std::string> unfinished_;        // inputs of earlier runs whose files have a tail
  std::unique_ptr<Decoder> decoder_;
  std::unique_ptr<Emitter> records_;
  std::size_t current_ = 0;            // the input of
  std::unique_ptr<EmittedFile> file_;  // this
  MetaValues closed_;  // what the state stores of files that were closed since a commit
  std::uint64_t lines_ = 0;
  std::uint64_t without_id_ = 0;
};

EmitAttributes::EmitAttributes(EmitOptions options, const std::vector<PlannedInput>& inputs,
                               const std::string& output, std::unique_ptr<Decoder> decoder,
                               std::unique_ptr<Emitter> records)
    : options_(std::move(options)), decoder_(std::move(decoder)), records_(std::move(records)) {
  folder_ = folder_path(options_.paths[static_cast<std::size_t>(EmitKind::kDolma)]);
  attribute_ = json_text(fs::path(folder_).filename().string());
  for (auto& value : std::exchange(options_.stored, {})) stored_.insert(std::move(value));
  for (const PlannedInput& planned : inputs) {
    Input& input = inputs_.emplace_back(Input{
        .path = absolute_path(planned.path),
        .skip = planned.skip,
        .continues = !planned.skip && planned.position.at.bytes > 0,
    });
    take_target(input);
  }
  require_own_files(output);
  take_stored();
}

void EmitAttributes::take_target(Input& input) {
  input.target = (fs::path(folder_) / name_below(input.path)).string();
}

void EmitAttributes::require_own_files(const std::string& output) const {
  std::map<std::string, std::string> of_targets;
  std::set<std::string> of_inputs;
  for (const Input& input : inputs_) of_inputs.insert(real(input.path));
  for (const Input& input : inputs_) {
    if (input.skip) continue;
    const std::string target = real(input.target);
    const auto [at, fresh] = of_targets.emplace(target, input.path);
    if (!fresh && at->second != input.path) {
      throw Failure(Exit::kUsage,
                    fmt::format("--emit: {} and {} would both have the attributes {}: give inputs "
                                "below a folder `documents`, or scan them apart",
                                at->second, input.path, input.target));
    }
    if (of_inputs.contains(target) || (!output.empty() && target == real(absolute_path(output)))) {
      throw Failure(Exit::kUsage,
                    fmt::format("--emit: the attributes of {} would be {}, which is another file "
                                "of this run: give another folder, as in "
                                "dolma=attributes/neardup/",
                                input.path, input.target));
    }
  }
}

std::string* EmitAttributes::stored_value(std::string_view prefix, const std::string& path) {
  const auto at = stored_.find(of_input(prefix, path));
  return at == stored_.end() ? nullptr : &at->second;
}

// Whether the attributes of the input are where the state says.
bool EmitAttributes::is_there(const std::string& path) const {
  const auto at = stored_.find(of_input(kEmitAttributesPrefix, path));
  return at != stored_.end() && matching_tail(parse_output(at->second)).has_value();
}

void EmitAttributes::require_attributes(const Input& input, bool tail) {
  const std::string* stored = stored_value(kEmitAttributesPrefix, input.path);
  if (stored != nullptr && parse_output(*stored).path == input.target && is_there(input.path))
    return;
  throw Failure(Exit::kUnavailable,
                fmt::format("an earlier run read {} {}, and {} has not the attributes of that, or "
                            "was changed since: restore it, or use a new --state",
                            input.path, tail ? "to its end" : "in part", input.target));
}

void EmitAttributes::take_stored() {
  for (const Input& input : inputs_)
    if (input.continues) require_attributes(input, false);
  for (const auto& [key, tail] : stored_) {
    if (!key.starts_with(kEmitAttributesTailPrefix) || tail.empty()) continue;
    const std::string path = key.substr(kEmitAttributesTailPrefix.size());
    const bool is_read = std::ranges::any_of(
        inputs_, [&](const Input& input) { return input.path == path && !input.skip; });
    if (is_read) continue;
    if (is_there(path)) {
      unfinished_.push_back(path);
    } else if (options_.half_read) {
      Input input{.path = path};
      take_target(input);
      require_attributes(input, true);
    }
  }
}

std::unique_ptr<EmittedFile> EmitAttributes::open(const std::string& path,
                                                  const std::string& target, bool continues) {
  EmitOptions options = options_;
  options.half_read = continues;
  for (const std::string_view prefix : {kEmitAttributesPrefix, kEmitAttributesTailPrefix}) {
    const std::string* value = stored_value(prefix, path);
    if (continues && value != nullptr) options.stored.emplace_back(of_input(prefix, path), *value);
  }
  std::error_code error;
  fs::create_directories(fs::path(target).parent_path(), error);
  auto file = std::make_unique<EmittedFile>(target, of_input(kEmitAttributesPrefix, path),
                                            of_input(kEmitAttributesTailPrefix, path), options);
  file->begin();
  return file;
}

void EmitAttributes::begin() {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (!fs::is_directory(folder_)) {
    throw Failure(Exit::kIo, fmt::format("cannot make the folder {}: {}", folder_,
                                         error ? error.message() : "it is no folder"));
  }
  records_->begin();
  for (const std::string& path : std::exchange(unfinished_, {})) {
    file_ = open(path, parse_output(*stored_value(kEmitAttributesPrefix, path)).path, true);
    close_current();
  }
}

void EmitAttributes::close_current() {
  if (!file_) return;
  file_->finish();
  WriteSet writes;
  if (options_.durable) file_->store(writes);
  std::ranges::move(writes.meta, std::back_inserter(closed_));
  file_.reset();
}

void EmitAttributes::move_to(std::size_t number) {
  Input& input = inputs_.at(number);
  if (file_ && current_ == number) return;
  close_current();
  current_ = number;
  file_ = open(input.path, input.target, input.continues);
  input.opened = true;
}

// {"id":"…","attributes":{"NAME":[[0, characters of the text, similarity]]}}, an empty list for a
// record that repeats nothing.
std::string EmitAttributes::line_of(const RawRecord& record, const Flag& flag) {
  std::string spans;
  if (emit_kind(flag.status) == EmitKind::kDuplicates) {
    std::string_view text;
    decoder_->decode(record, text);
    const Ppm similarity = flag.original ? flag.original->similarity : kOne;
    // Cut to three decimals, as in flags.
    spans = fmt::format("[0,{},{}.{:03}]", characters(text), similarity / kOne,
                        similarity % kOne / 1000);
  }
  if (!flag.has_id) ++without_id_;
  return JsonObject()
      .text("id", flag.id)
      .json("attributes", fmt::format("{{{}:[{}]}}", attribute_, spans))
      .str();
}

void EmitAttributes::add(const RawRecord& record, const Flag& flag) {
  records_->add(record, flag);
  move_to(record.source.input);
  file_->add(line_of(record, flag));
  ++lines_;
}

void EmitAttributes::store(WriteSet& writes) {
  records_->store(writes);
  if (!options_.durable) return;
  std::ranges::move(std::exchange(closed_, {}), std::back_inserter(writes.meta));
  if (file_) file_->store(writes);
  writes.meta.emplace_back(emit_key(kEmitPrefix, EmitKind::kDolma), folder_);
}

void EmitAttributes::finish(bool stopped) {
  records_->finish(stopped);
  close_current();
  if (stopped) return;
  for (const Input& input : inputs_)
    if (!input.skip && !input.continues && !input.opened)
      open(input.path, input.target, false)->finish();
}

std::vector<Emitter::Written> EmitAttributes::written() const {
  std::vector<Written> all = records_->written();
  all.push_back({EmitKind::kDolma, folder_, lines_});
  return all;
}

std::vector<std::string> EmitAttributes::notes() const {
  std::vector<std::string> notes = records_->notes();
  if (without_id_ > 0) {
    notes.push_back(
        fmt::format("{} lines of attributes have no id, as their records were rejected "
                    "without one",
                    without_id_));
  }
  return notes;
}

}  // namespace

std::unique_ptr<Emitter> make_emit_attributes(const EmitOptions& options,
                                              const std::vector<PlannedInput>& inputs,
                                              const std::string& output,
                                              std::unique_ptr<Decoder> decoder,
                                              std::unique_ptr<Emitter> records) {
  return std::make_unique<EmitAttributes>(options, inputs, output, std::move(decoder),
                                          std::move(records));
}

}  // namespace neardup
