#include "pipeline/chunk_queue.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace neardup::TEST_FILE {
namespace {

// `seq` tells chunks apart.
std::unique_ptr<Chunk> chunk(std::uint64_t seq, std::size_t bytes = 10) {
  auto made = std::make_unique<Chunk>();
  made->raw.records.resize(1);
  made->raw.records.at(0).size = seq;
  made->raw.buffer.resize(bytes);
  return made;
}

std::uint64_t seq_of(const Chunk& chunk) { return chunk.raw.records.at(0).size; }

std::exception_ptr error(const char* what) {
  return std::make_exception_ptr(std::runtime_error(what));
}

TEST(ChunkQueue, hands_out_in_the_order_of_reading_whatever_is_prepared_first) {
  ChunkQueue queue({100, 1000});
  for (std::uint64_t i = 0; i < 3; ++i) queue.push(chunk(i));
  Chunk* first = queue.take();
  Chunk* second = queue.take();
  Chunk* third = queue.take();
  EXPECT_EQ(seq_of(*second), 1u);
  queue.prepared(third);
  queue.prepared(first);
  EXPECT_EQ(seq_of(*queue.pop()), 0u);
  queue.prepared(second);
  EXPECT_EQ(seq_of(*queue.pop()), 1u);
  EXPECT_EQ(seq_of(*queue.pop()), 2u);
  queue.finish();
  EXPECT_EQ(queue.pop(), nullptr);
  EXPECT_EQ(queue.take(), nullptr);
}

// Whether the reader gets past a second chunk before the first one is popped.
bool second_waits(ChunkQueue::Limits limits) {
  ChunkQueue queue(limits);
  std::atomic<bool> pushed = false;
  std::thread reader([&] {
    queue.push(chunk(0, 500));
    queue.push(chunk(1, 500));
    pushed = true;
    queue.finish();
  });
  Chunk* first = queue.take();
  // Were it not to wait, it would be through long before this; if it is slow, the test still
  // passes.
  for (int i = 0; i < 50 && !pushed; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const bool waited = !pushed;
  queue.prepared(first);
  queue.pop();
  queue.prepared(queue.take());
  queue.pop();
  reader.join();
  return waited;
}

TEST(ChunkQueue, a_full_queue_makes_the_reader_wait) {
  EXPECT_TRUE(second_waits({1, 100'000}));
  EXPECT_TRUE(second_waits({100'000, 500}));
  // A chunk above the limits passes alone.
  EXPECT_TRUE(second_waits({1, 1}));
}

TEST(ChunkQueue, hands_out_only_what_is_prepared_to_those_who_do_not_wait) {
  ChunkQueue queue({100, 1000});
  EXPECT_EQ(queue.pop_ready(), nullptr);
  for (std::uint64_t i = 0; i < 3; ++i) queue.push(chunk(i));
  Chunk* first = queue.take();
  queue.prepared(queue.take());
  EXPECT_EQ(queue.pop_ready(), nullptr);
  queue.prepared(first);
  queue.prepared(queue.take(), error("sketch"));
  EXPECT_EQ(seq_of(*queue.pop_ready()), 0u);
  EXPECT_EQ(seq_of(*queue.pop_ready()), 1u);
  EXPECT_EQ(queue.pop_ready(), nullptr);
  EXPECT_THROW(queue.pop(), std::runtime_error);
  queue.finish();
  EXPECT_EQ(queue.pop_ready(), nullptr);
  EXPECT_EQ(queue.pop(), nullptr);
}

TEST(ChunkQueue, what_came_before_an_error_of_the_reader_is_handed_out) {
  ChunkQueue queue({100, 1000});
  queue.push(chunk(0));
  queue.finish(error("disk"));
  queue.prepared(queue.take());
  EXPECT_NE(queue.pop(), nullptr);
  EXPECT_THROW(queue.pop(), std::runtime_error);
}

TEST(ChunkQueue, an_error_of_a_worker_comes_out_in_its_place) {
  ChunkQueue queue({100, 1000});
  queue.push(chunk(0));
  queue.push(chunk(1));
  Chunk* first = queue.take();
  queue.prepared(queue.take(), error("sketch"));
  queue.prepared(first);
  EXPECT_EQ(seq_of(*queue.pop()), 0u);
  EXPECT_THROW(queue.pop(), std::runtime_error);
}

TEST(ChunkQueue, a_wait_with_a_deadline_ends_with_a_chunk_the_end_or_the_deadline) {
  ChunkQueue queue({100, 1000});
  const auto soon = [] { return std::chrono::steady_clock::now() + std::chrono::milliseconds(1); };
  const auto late = [] { return std::chrono::steady_clock::now() + std::chrono::hours(1); };
  queue.push(chunk(0));
  EXPECT_FALSE(queue.wait_until(soon()));  // nobody has prepared it
  std::thread worker([&] { queue.prepared(queue.take()); });
  EXPECT_TRUE(queue.wait_until(late()));
  worker.join();
  EXPECT_EQ(seq_of(*queue.pop()), 0u);
  EXPECT_FALSE(queue.wait_until(soon()));
  std::thread reader([&] { queue.finish(); });
  EXPECT_TRUE(queue.wait_until(late()));
  reader.join();
  EXPECT_EQ(queue.pop(), nullptr);
}

TEST(ChunkQueue, closing_ends_every_wait) {
  ChunkQueue queue({1, 1});
  std::atomic<int> ended = 0;
  queue.push(chunk(0));
  queue.take();
  std::thread reader([&] {
    EXPECT_FALSE(queue.push(chunk(1)));
    ++ended;
  });
  std::thread worker([&] {
    EXPECT_EQ(queue.take(), nullptr);
    ++ended;
  });
  queue.close();
  reader.join();
  worker.join();
  EXPECT_EQ(ended, 2);
}

TEST(ChunkQueue, a_used_chunk_comes_back_blank) {
  ChunkQueue queue({4, 1000});
  auto used = chunk(7);
  used->ends_batch = true;
  used->positions.emplace_back("input/a", "1");
  const Chunk* const same = used.get();
  queue.recycle(std::move(used));
  const auto blank = queue.blank();
  EXPECT_EQ(blank.get(), same);
  EXPECT_FALSE(blank->ends_batch);
  EXPECT_THAT(blank->positions, testing::IsEmpty());
  EXPECT_NE(queue.blank(), nullptr);
}

TEST(ChunkQueue, a_huge_buffer_is_not_kept) {
  ChunkQueue queue({4, 1000});
  queue.recycle(chunk(7, std::size_t{32} << 20));
  EXPECT_EQ(queue.blank()->raw.buffer.capacity(), std::string().capacity());
}

TEST(ChunkQueue, many_workers_lose_nothing) {
  constexpr std::uint64_t kChunks = 2000;
  ChunkQueue queue({7, 1'000'000});
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    for (std::uint64_t i = 0; i < kChunks; ++i) queue.push(chunk(i, 1 + i % 3));
    queue.finish();
  });
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (Chunk* taken = queue.take()) queue.prepared(taken);
    });
  }
  for (std::uint64_t i = 0; i < kChunks; ++i) {
    const auto popped = queue.pop();
    ASSERT_NE(popped, nullptr);
    ASSERT_EQ(seq_of(*popped), i);
  }
  EXPECT_EQ(queue.pop(), nullptr);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace neardup::TEST_FILE
