// How the index grows: a row of costs for each million documents, and one for all of them.
#pragma once

#include <span>
#include <vector>

#include "bench/index_run.h"
#include "bench/process_costs.h"
#include "bench/runner.h"
#include "storage/options.h"

namespace neardup::bench {

struct IndexLoad {
  std::uint64_t documents = 1'000'000;
  SyntheticOptions synthetic;
  StorageOptions storage;
  Options output;
};

class IndexGrowth {
 public:
  IndexGrowth(const IndexLoad& load, IndexRun& run) : load_(load), run_(run) {}

  // Fills the store up to load.documents and prints the rows.
  void run();

  // Waits for the work in the background, and prints the totals.
  void finish();

 private:
  struct Moment {
    ProcessCosts costs = process_costs();
    IndexCounts counts;
  };
  struct Rate {
    double documents = 0;
    double cpu_seconds = 0;
  };

  void print_row();
  // Adds what passed between two moments to a row.
  Rate add_costs(const Moment& from, const Moment& to, Row& row) const;
  double disk_bytes_per_document() const;
  static double average(std::span<const Rate> rows);

  const IndexLoad& load_;
  IndexRun& run_;
  Moment start_;
  Moment last_ = start_;  // the last row
  double slowest_ = 0;    // batch since then
  std::vector<Rate> rows_;
};

}  // namespace neardup::bench
