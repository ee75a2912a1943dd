// The part of the CUDA runtime that the backend uses, on the host: memory is the host's, streams do
// their work when somebody waits for it, so that a missing wait shows, and kernels run one thread
// after the other. So everything of the backend but the device itself is tested without one:
// pieces, slots, failures.
#pragma once

#include <cstdint>

namespace neardup::testing {

struct RuntimeCounts {
  std::uint64_t allocations = 0;  // since the start
  std::uint64_t held = 0;         // not freed yet: memory, streams, events
  std::uint64_t calls = 0;        // copies, kernels, waits: what may fail
};
RuntimeCounts runtime_counts();

// The device fails in the call after `calls` more, and in all others until it is reset. A program
// may be started with that, too: NEARDUP_DEVICE_FAILS_AFTER=100.
void fail_after(std::uint64_t calls);
void never_fail();

// What cudaMemGetInfo says is free.
void set_free_memory(std::uint64_t bytes);

}  // namespace neardup::testing
