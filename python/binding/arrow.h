// The structures of the Arrow C data and stream interfaces, as their specification has them, and
// their owners. A structure without `release` holds nothing.
#pragma once

#include <cstdint>
#include <utility>

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

namespace neardup {

inline constexpr std::int64_t kArrowNullable = 2;

// Owns one of them.
template <class T>
class ArrowOwner {
 public:
  ArrowOwner() = default;
  // Takes the contents of `from`, as the specification moves a structure.
  explicit ArrowOwner(T& from) : value_(std::exchange(from, T{})) {}
  ArrowOwner(ArrowOwner&& from) noexcept : value_(std::exchange(from.value_, T{})) {}
  ArrowOwner& operator=(ArrowOwner&& from) noexcept {
    std::swap(value_, from.value_);
    return *this;
  }
  ~ArrowOwner() {
    if (value_.release != nullptr) value_.release(&value_);
  }
  T* get() { return &value_; }
  T& operator*() { return value_; }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }

 private:
  T value_{};
};

}  // namespace neardup
