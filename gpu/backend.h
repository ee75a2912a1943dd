// A backend turns normalised texts into sketches, 1-bit sketches and band keys. All backends give
// the same bits (docs/formats/sketch.md); gpu/backends.cc lists them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "gpu/sketch_plan.h"
#include "pipeline/model/sketched_batch.h"
#include "pipeline/model/text_batch.h"

namespace neardup {

// One document of a call: its text in the batch, and what else its band keys depend on.
struct SketchTask {
  std::uint32_t text = 0;            // index into the TextBatch; Requires: the text is not empty
  std::uint64_t namespace_hash = 0;  // `hash_namespace` of its namespace
};

// Thrown by a backend whose device failed. The rows of the failed call are incomplete.
class DeviceFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The time of a device in each phase, on the device's clock.
struct BackendTimes {
  std::uint64_t pieces = 0;  // copied, computed and copied back as one
  double copy_in_seconds = 0;
  double kernel_seconds = 0;
  double copy_out_seconds = 0;
  BackendTimes& operator+=(const BackendTimes& other) {
    pieces += other.pieces;
    copy_in_seconds += other.copy_in_seconds;
    kernel_seconds += other.kernel_seconds;
    copy_out_seconds += other.copy_out_seconds;
    return *this;
  }
};

// Totals since the start; all zero for a backend without a device.
struct BackendReport {
  BackendTimes times;
  std::uint64_t failures = 0;  // of the device, and of attempts to use it again
  std::uint64_t documents_on_device = 0;
  std::uint64_t documents_shared = 0;  // on the CPU: the device was busy, or had not started
  std::uint64_t documents_on_cpu = 0;  // because the device had failed
  std::string last_failure;
  bool device_active = false;      // work goes to a device now
  std::uint64_t device_bytes = 0;  // device memory that is allocated now

  // Whether a device was used, or should have been.
  bool has_device() const { return times.pieces != 0 || failures != 0; }
  // The CPU does all until the device works again.
  bool has_failed() const { return failures != 0 && !device_active; }

  BackendReport& operator+=(const BackendReport& other) {
    times += other.times;
    failures += other.failures;
    documents_on_device += other.documents_on_device;
    documents_shared += other.documents_shared;
    documents_on_cpu += other.documents_on_cpu;
    if (!other.last_failure.empty()) last_failure = other.last_failure;
    device_active = device_active || other.device_active;
    device_bytes += other.device_bytes;
    return *this;
  }
};

// The amount of work that a backend prefers in one call. It never changes a row.
struct CallSize {
  std::size_t documents = 0;
  std::uint64_t bytes = 0;  // of raw text
};

class Backend {
 public:
  virtual ~Backend() = default;

  // Sketches texts[task.text] into row task.text of `rows` for every task; other rows stay as they
  // are. Requires: `rows` has texts.size() rows of the plan's shape. May be called from several
  // threads at once, each with its own texts and rows; returns when all rows are written.
  virtual void sketch(const TextBatch& texts, std::span<const SketchTask> tasks,
                      SketchRows& rows) = 0;

  // The same if a device has room for it now; otherwise false, and no row is written.
  virtual bool try_sketch(const TextBatch& texts, std::span<const SketchTask> tasks,
                          SketchRows& rows) {
    sketch(texts, tasks, rows);
    return true;
  }

  // The hardware in use, for people: "cpu (avx512)". It may change while a device starts.
  virtual std::string description() const = 0;

  // Of the next call. Small for the CPU: every core has work, and the texts stay in its cache.
  virtual CallSize preferred_call() const { return {256, std::uint64_t{1} << 20}; }

  // May be called at any time from any thread.
  virtual BackendReport report() const { return {}; }
};

}  // namespace neardup
