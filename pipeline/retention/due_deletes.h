// The deletes by command that a restored older copy of a state has not repeated yet (delete_log.h),
// in the order of the arrivals before which they are due.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pipeline/retention/delete_log.h"

namespace neardup {

class DueDeletes {
 public:
  explicit DueDeletes(Store& store);

  // The id of the next delete that is due before arrival `seq`. To be called until there is none.
  std::optional<IdKey> take(Seq seq);

  // Writes that the deletes taken in this batch are no longer due.
  void fill(WriteSet& writes) const;
  void committed() { taken_.clear(); }

 private:
  std::vector<LoggedDelete> due_;  // the next one last
  std::vector<std::uint64_t> taken_;
};

}  // namespace neardup
