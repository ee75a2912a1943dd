#include "pipeline/retention/stream_time.h"

#include <gtest/gtest.h>

namespace neardup::TEST_FILE {
namespace {

TEST(StreamTime, is_the_largest_time_so_far) {
  StreamTime time(1'000);
  EXPECT_EQ(time.now_ms(), 0);
  for (const std::int64_t ts : {-5, 0, 500'000, 500'900, 400'000}) time.advance(ts);
  EXPECT_EQ(time.began_ms(), 500'000);
  EXPECT_EQ(time.now_ms(), 500'900);
  EXPECT_EQ(time.steps_cut(), 0u);
}

TEST(StreamTime, one_record_moves_it_by_a_step_at_most) {
  StreamTime time(1'000);
  for (const std::int64_t ts : {500'000, 501'000, 900'000, 900'000, 502'500}) time.advance(ts);
  EXPECT_EQ(time.now_ms(), 503'000);
  EXPECT_EQ(time.steps_cut(), 2u);
}

TEST(StreamTime, without_a_step_any_distance_counts) {
  StreamTime time(0);
  for (const std::int64_t ts : {1L, 900'000'000'000L}) time.advance(ts);
  EXPECT_EQ(time.now_ms(), 900'000'000'000);
  EXPECT_EQ(time.steps_cut(), 0u);
}

TEST(StreamTime, what_came_before_the_first_time_ages_from_it) {
  StreamTime time(1'000);
  EXPECT_EQ(time.age_ms(0), 0);
  time.advance(500'000);
  EXPECT_EQ(time.age_ms(0), 0);
  time.advance(500'700);
  EXPECT_EQ(time.age_ms(0), 700);
  EXPECT_EQ(time.age_ms(500'600), 100);
}

TEST(StreamTime, goes_on_where_it_stood) {
  StreamTime time(1'000);
  time.go_on(500'000, 600'000);
  time.advance(700'000);
  EXPECT_EQ(time.now_ms(), 601'000);
  EXPECT_EQ(time.age_ms(0), 101'000);
}

}  // namespace
}  // namespace neardup::TEST_FILE
