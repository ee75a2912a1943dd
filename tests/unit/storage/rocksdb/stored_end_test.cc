#include "storage/rocksdb/stored_end.h"

#include <gtest/gtest.h>

#include "pipeline/base/failure.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

StoredEnd some_end(std::size_t logs) {
  StoredEnd end{.number = 41,
                .uuid = "01234567-89ab-4def-8123-456789abcdef",
                .next_seq = 1'000'001,
                .sequence = std::uint64_t{1} << 55,
                .manifest = {9, 300, 0xfedcba9876543210},
                .logs = {}};
  for (std::uint64_t i = 0; i < logs; ++i) end.logs.push_back({100 + i, i + 1, ~i});
  return end;
}

TEST(StoredEnd, is_read_back) {
  for (const std::size_t logs : {std::size_t{0}, std::size_t{1}, kMostEndLogs}) {
    const std::string slot = encode_end(some_end(logs));
    EXPECT_EQ(slot.size(), kEndSlotBytes);
    EXPECT_EQ(decode_end(slot), some_end(logs));
  }
  StoredEnd nameless = some_end(2);
  nameless.uuid.clear();
  EXPECT_EQ(decode_end(encode_end(nameless)), nameless);
}

TEST(StoredEnd, a_changed_bit_anywhere_is_noticed) {
  const std::string slot = encode_end(some_end(3));
  for (std::size_t i = 0; i < slot.size(); ++i) {
    std::string changed = slot;
    changed[i] ^= static_cast<char>(1 << i % 8);
    EXPECT_FALSE(decode_end(changed)) << i;
  }
  EXPECT_FALSE(decode_end(slot.substr(1)));
  EXPECT_FALSE(decode_end(""));
}

TEST(StoredEnd, slots_take_turns_and_the_later_one_counts) {
  const ScratchDirectory folder;
  EXPECT_FALSE(read_end(folder.path()));
  StoredEnd end = some_end(1);
  create_end(folder.path(), end);
  for (int i = 0; i < 3; ++i) {
    const std::string before = folder.read(kEndName);
    ++end.number;
    end.sequence += 7;
    write_end(folder.path(), end);
    EXPECT_EQ(read_end(folder.path()), end);
    const std::string now = folder.read(kEndName);
    EXPECT_EQ(now.size(), 2 * kEndSlotBytes);
    const std::size_t kept = end.number % 2 == 0 ? kEndSlotBytes : 0;
    EXPECT_EQ(now.substr(kept, kEndSlotBytes), before.substr(kept, kEndSlotBytes));
  }
}

TEST(StoredEnd, without_a_whole_slot_the_file_is_named) {
  const ScratchDirectory folder;
  for (const std::string& bytes : {std::string(), std::string(2 * kEndSlotBytes, '\0'),
                                   encode_end(some_end(1)).substr(0, kEndSlotBytes - 1)}) {
    folder.write(kEndName, bytes);
    try {
      read_end(folder.path());
      ADD_FAILURE() << bytes.size();
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kIo);
      EXPECT_NE(std::string(failure.what()).find(folder.file(kEndName)), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
