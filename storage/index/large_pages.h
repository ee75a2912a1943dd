// Memory for tables that are read at random: on large pages, or each look-up would miss in the TLB.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace neardup {

// An allocator. Small pieces come from the heap.
template <class T>
class OnLargePages {
 public:
  using value_type = T;

  OnLargePages() = default;
  template <class U>
  OnLargePages(const OnLargePages<U>&) {}  // NOLINT: containers convert it

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kPage) return static_cast<T*>(::operator new(bytes));
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    madvise(memory, bytes, MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kPage) return ::operator delete(memory);
    munmap(memory, bytes);
  }

  friend bool operator==(const OnLargePages&, const OnLargePages&) { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20;
};

}  // namespace neardup
