// Memory on large pages for tables with random access, where otherwise each look-up would miss the
// TLB.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>

namespace neardup {

// An allocator. Pieces of less than a large page come from the heap.
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
    return reinterpret_cast<T*>(map(bytes));
  }
  void deallocate(T* memory, std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kPage) return ::operator delete(memory);
    munmap(memory, whole(bytes));
  }

  // Returns the memory of a part of an allocation of `count` elements to the system at once. The
  // values of the part are lost.
  static void give_back(T* part, std::size_t part_count, std::size_t count) {
    if (count * sizeof(T) < kPage) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(part);
    const std::uintptr_t first = (begin + kSmallPage - 1) / kSmallPage * kSmallPage;
    const std::uintptr_t end = (begin + part_count * sizeof(T)) / kSmallPage * kSmallPage;
    if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);  // NOLINT
  }

  friend bool operator==(const OnLargePages&, const OnLargePages&) { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20;
  static constexpr std::size_t kSmallPage = 4096;

  static std::size_t whole(std::size_t bytes) {
    return (bytes + kSmallPage - 1) / kSmallPage * kSmallPage;
  }

  // Maps `bytes` from the start of a large page on, and unmaps the rest before and after them.
  static char* map(std::size_t bytes) {
    void* mapped = mmap(nullptr, whole(bytes) + kPage, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    const std::size_t behind = reinterpret_cast<std::uintptr_t>(mapped) % kPage;
    const std::size_t front = behind == 0 ? 0 : kPage - behind;
    char* const start = static_cast<char*>(mapped) + front;
    if (front > 0) munmap(mapped, front);
    munmap(start + whole(bytes), kPage - front);
    madvise(start, whole(bytes), MADV_HUGEPAGE);
    return start;
  }
};

}  // namespace neardup
