// Random histories: every store must answer like the model.
#include "differential.h"

#include <gtest/gtest.h>

namespace neardup::testing::TEST_FILE {
namespace {

constexpr int kRounds = 150;
constexpr int kLargeRounds = 60;

INSTANTIATE_TEST_SUITE_P(All, StoreHistory,
                         ::testing::Combine(::testing::ValuesIn(kStoreKinds),
                                            ::testing::Values(1, 2, 3)),
                         name_of);

TEST_P(StoreHistory, AnswersLikeTheModel) {
  run(kRounds, [this](std::unique_ptr<Store>& store, int round) {
    if (round % 40 == 39) compact_and_check(*store, model_);
  });
}

TEST_P(StoreHistory, AnswersSeveralThreadsAtOnce) {
  run(kRounds / 3, [this](std::unique_ptr<Store>& store, int) {
    ASSERT_NO_FATAL_FAILURE(look_up_in_threads(*store));
  });
}

INSTANTIATE_TEST_SUITE_P(All, LargeHistory,
                         ::testing::Combine(::testing::ValuesIn(kStoreKinds), ::testing::Values(7)),
                         name_of);

TEST_P(LargeHistory, AnswersLikeTheModel) {
  run(kLargeRounds, [this](std::unique_ptr<Store>& store, int round) {
    if (round % 25 == 24) compact_and_check(*store, model_);
  });
}

// Of stores that outlive their process.
class StoredHistory : public StoreHistory {};

INSTANTIATE_TEST_SUITE_P(All, StoredHistory,
                         ::testing::Combine(::testing::Values(kStoreKinds[1]),
                                            ::testing::Values(4, 5, 6)),
                         name_of);

TEST_P(StoredHistory, AnswersLikeTheModelWhenOpenedAgainAndAgain) {
  run(kRounds, [this](std::unique_ptr<Store>& store, int round) {
    if (!history_.one_in(4)) return;
    open_again(store);
    if (round % 3 == 0) compact_and_check(*store, model_);
  });
}

// Also where the look-ups are the first of an opened store.
TEST_P(StoredHistory, AnswersSeveralThreadsAtOnce) {
  run(kRounds / 3, [this](std::unique_ptr<Store>& store, int) {
    if (history_.one_in(4)) open_again(store);
    ASSERT_NO_FATAL_FAILURE(look_up_in_threads(*store));
  });
}

TEST_P(StoredHistory, ReadersAndCopiesAnswerLikeTheModel) {
  run(kRounds, [this](std::unique_ptr<Store>& store, int round) {
    if (!history_.one_in(10)) return;
    ASSERT_NO_FATAL_FAILURE(check_reader());
    ASSERT_NO_FATAL_FAILURE(check_copy(*store, "copy" + std::to_string(round)));
  });
}

class StoredLargeHistory : public LargeHistory {};

INSTANTIATE_TEST_SUITE_P(All, StoredLargeHistory,
                         ::testing::Combine(::testing::Values(kStoreKinds[1]),
                                            ::testing::Values(8)),
                         name_of);

TEST_P(StoredLargeHistory, AnswersLikeTheModelWhateverIsDoneInBetween) {
  run(kLargeRounds, [this](std::unique_ptr<Store>& store, int round) {
    if (history_.one_in(5)) open_again(store);
    if (history_.one_in(10)) {
      ASSERT_NO_FATAL_FAILURE(check_reader());
    }
    if (history_.one_in(15)) {
      ASSERT_NO_FATAL_FAILURE(check_copy(*store, "copy" + std::to_string(round)));
    }
    if (history_.one_in(20)) {
      ASSERT_NO_FATAL_FAILURE(compact_and_check(*store, model_));
    }
  });
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
