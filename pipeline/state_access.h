// The operations of a command on a state between two batches, whether the command has opened the
// state or a running pipeline holds it.
#pragma once

#include "storage/store.h"

namespace neardup {

class StateAccess {
 public:
  virtual ~StateAccess() = default;

  // For reading and copying. Valid as long as this.
  virtual Store& store() = 0;

  // Commits `writes`, which erase documents and ids and put nothing but meta keys.
  virtual void commit(const WriteSet& writes) = 0;
};

// A store that no pipeline uses. Requires: `store` outlives it.
class OwnState : public StateAccess {
 public:
  explicit OwnState(Store& store) : store_(store) {}
  Store& store() override { return store_; }
  void commit(const WriteSet& writes) override { store_.commit(writes); }

 private:
  Store& store_;
};

}  // namespace neardup
