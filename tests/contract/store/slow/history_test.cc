// Long random histories in very little memory.
#include "storage/stores.h"
#include "tests/contract/store/differential.h"

namespace neardup::testing::TEST_FILE {
namespace {

constexpr int kRounds = 1200;

INSTANTIATE_TEST_SUITE_P(All, LargeHistory,
                         ::testing::Combine(::testing::Values(kStoreKinds[1]),
                                            ::testing::Range<std::uint64_t>(100, 104)),
                         name_of);

TEST_P(LargeHistory, AnswersLikeTheModelWhateverIsDoneInBetween) {
  run(kRounds, [this](std::unique_ptr<Store>& store, int round) {
    if (history_.one_in(9)) open_again(store);
    if (history_.one_in(30)) {
      view_.reset();
      store.reset();
      open_store(options_, OpenMode::kReadWrite)
          ->rebuild_index(index_of, {{"rebuilt", std::to_string(round)}}, [](Seq) {});
      store = open_indexed(options_);
    }
    if (history_.one_in(20)) {
      ASSERT_NO_FATAL_FAILURE(check_reader());
    }
    if (history_.one_in(40)) {
      ASSERT_NO_FATAL_FAILURE(check_copy(*store, "copy"));
    }
    if (history_.one_in(30)) {
      ASSERT_NO_FATAL_FAILURE(compact_and_check(*store, model_));
    }
  });
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
