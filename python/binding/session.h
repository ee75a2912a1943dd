// An open state with its pipeline, used by one thread at a time. Knows nothing of Python but its
// columns.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/backend.h"
#include "pipeline/pipeline.h"
#include "pipeline/prepare.h"
#include "python/binding/columns.h"
#include "python/binding/flag_list.h"
#include "service/control/search_request.h"
#include "service/file/temporary_directory.h"
#include "service/state/settings.h"
#include "storage/store.h"

namespace neardup {

// The settings of `sets` (KEY=VALUE). The environment and files are not read: the flags follow from
// the arguments alone. `warnings` gets what is worth a warning. Throws Failure(kConfig).
StateSettings settings_of(const std::vector<std::string>& sets, bool temporary,
                          const std::optional<std::string>& stored_rule,
                          std::vector<std::string>& warnings);

// One side of a comparison: an id of the state, or a text.
struct ComparedSide {
  std::string value;
  bool is_text = false;
};

class ColumnSource;

class Session {
 public:
  // Called now and then, with the number of records decided so far. False: end after the records
  // that were read.
  using Progress = std::function<bool(std::uint64_t done)>;

  // No path: a temporary state, which is removed with this. An existing state keeps its rule.
  // Throws Failure: kUnavailable for a state in use, OtherRule for settings that contradict it.
  Session(const std::optional<std::string>& path, const std::vector<std::string>& sets);

  // Decides the texts in order and commits them, the last batch before it returns: durable if the
  // state is kept. After an exception the session takes no more calls; batches committed before it
  // stay.
  FlagList add(const Columns& columns, const Progress& progress);

  // The flags that the texts would get if each came next. Stores nothing.
  FlagList check(const Columns& columns, const Progress& progress);

  // The remaining ones return JSON, as the service does (docs/api.md).
  std::string similar(const SearchRequest& request);
  std::string explain(const ComparedSide& a, const ComparedSide& b, const std::string& name_space);
  std::string groups(std::size_t top);
  std::string remove(const std::vector<std::string>& ids, const std::string& name_space);
  std::string stats();

  const std::string& path() const { return path_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::string& rule() const { return rule_; }

 private:
  class Collector : public Delivery {
   public:
    void add(const RawChunk& chunk, std::vector<Flag>& flags) override;
    void before_commit(WriteSet& /*writes*/) override {}
    void after_commit() override {}
    FlagList* flags = nullptr;
  };

  void open_store(const std::vector<std::string>& sets, bool temporary);
  void add_here(ColumnSource& source);
  void require_sound() const;
  FlagList no_flags(FlagSeq seq) const;
  Preparer make_preparer(bool keeps_raw_texts);

  std::unique_ptr<TemporaryDirectory> directory_;
  std::string path_;
  std::unique_ptr<Store> store_;
  StateSettings settings_;
  std::vector<std::string> warnings_;
  std::string rule_;
  std::unique_ptr<Backend> backend_;
  Collector collector_;
  std::unique_ptr<Pipeline> pipeline_;
  std::unique_ptr<Preparer> preparer_;  // of add_here
  Chunk chunk_;                         // of add_here
  bool broken_ = false;
};

// Row i belongs to text i; texts without a sketch (too short, rejected) have rows of zeros.
struct Sketches {
  std::uint32_t values = 0;  // of a sketch
  std::uint32_t bits = 0;    // of a value
  std::uint32_t words = 0;   // 64-bit words of a sketch
  std::uint32_t bands = 0;
  std::vector<std::uint64_t> sketches;  // n × words, row-major (docs/formats/sketch.md)
  std::vector<std::uint64_t> buckets;   // n × bands
  std::vector<std::uint8_t> has_sketch;
};

// `sets`: KEY=VALUE. Needs no GIL. Throws Failure(kConfig).
Sketches sketch_texts(const Columns& columns, const std::vector<std::string>& sets);

}  // namespace neardup
