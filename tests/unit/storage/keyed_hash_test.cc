#include "storage/keyed_hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace neardup::TEST_FILE {
namespace {

// MurmurHash64A, which is libstdc++'s std::hash of strings, turns these blocks of 8 bytes into
// words that differ in their highest bit only. Two such differences cancel out, whatever the seed,
// so all strings that are made of an even number of second ones have one hash.
constexpr std::string_view kPairs[][2] = {
    {"Zje\072o\034e\175", "Zj\042T\012\002\015\014"},
    {"\007\011M\046n\037qw", "\007\011\012\100\011\005\031\006"},
    {"\055\076\017b\003\134\040\005", "\055\076RHhvxv"},
    {"\02706\137\006\051\043\011", "\0270yEkC\173z"},
    {"R7\044\177\021\136\012\015", "R7gevxb\176"},
    {"\077\076j\043v\134zz", "\077\076\047\075\021B\042\011"},
    {"\035\044\0334\015\074\027\015", "\035\044\136\032rVo\176"},
    {"\016\005j\136p\137ey", "\016\005\047x\013E\015\010"},
    {"\175\003\173\031uCtx", "\175\00383\020\051\034\007"},
    {"0qt\023\175\053\175\175", "0q1\055\030\021\045\014"},
};

TEST(KeyedHash, tells_keys_apart_that_were_made_to_collide) {
  std::set<std::size_t> hashes;
  constexpr unsigned kBlocks = std::size(kPairs);
  for (unsigned choice = 0; choice < 1u << kBlocks; ++choice) {
    std::string key;
    for (unsigned i = 0; i < kBlocks; ++i) key += kPairs[i][choice >> i & 1];
    hashes.insert(KeyedHash()(key));
  }
  EXPECT_EQ(hashes.size(), 1u << kBlocks);
}

TEST(KeyedHash, is_a_function_of_the_bytes) {
  EXPECT_EQ(KeyedHash()("a"), KeyedHash()(std::string("a")));
  EXPECT_NE(KeyedHash()("a"), KeyedHash()("b"));
  EXPECT_NE(KeyedHash()(""), KeyedHash()(std::string_view("\0", 1)));
}

}  // namespace
}  // namespace neardup::TEST_FILE
