// An empty state on disk, for tests of its parts.
#pragma once

#include <gtest/gtest.h>

#include "storage/rocksdb/state.h"
#include "tests/scratch_directory.h"

namespace neardup {

class StateOnDisk : public testing::Test {
 protected:
  ScratchDirectory scratch_;
  RocksdbState state_{{.path = scratch_.file("state")}, OpenMode::kReadWrite};
};

}  // namespace neardup
