#include "service/kafka/client/retry_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/base/failure.h"

namespace neardup::TEST_FILE {
namespace {

using testing::HasSubstr;

class Waiting : public testing::Test {
 protected:
  Waiting()
      : log_(
            {}, [this](std::string_view line) { lines_ += line; }, std::chrono::system_clock::now) {
  }

  // Fails so often with this, then succeeds.
  std::function<void()> fails(int times, ErrorClass error_class) {
    return [this, times, error_class] {
      if (++calls_ <= times)
        throw KafkaError(error_class, RD_KAFKA_RESP_ERR__TRANSPORT, "it failed");
    };
  }

  std::string lines_;
  Log log_;
  ClientEvents events_{log_};
  std::atomic<bool> stop_{false};
  RetryPolicy retry_{[this] { return stop_.load(); }, events_, log_};
  int calls_ = 0;
};

TEST_F(Waiting, TriesAgainAfterErrorsThatPass) {
  retry_.until_done("trying", fails(2, ErrorClass::kRetriable));
  EXPECT_EQ(calls_, 3);
  EXPECT_THAT(lines_, HasSubstr(R"("doing":"trying","reason":"it failed")"));
}

TEST_F(Waiting, PassesErrorsOnThatTryingAgainDoesNotMend) {
  for (const auto one : {ErrorClass::kAbortable, ErrorClass::kFatal, ErrorClass::kFenced}) {
    calls_ = 0;
    try {
      retry_.until_done("trying", fails(1, one));
      ADD_FAILURE() << "no error";
    } catch (const KafkaError& error) {
      EXPECT_EQ(error.error_class(), one);
    }
    EXPECT_EQ(calls_, 1);
  }
}

TEST_F(Waiting, EndsWhereWeAreDenied) {
  try {
    retry_.until_done("trying", fails(1, ErrorClass::kDenied));
    ADD_FAILURE() << "no failure";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kConfig);
    EXPECT_THAT(failure.what(), HasSubstr("trying was refused: it failed"));
  }
}

TEST_F(Waiting, PassesOtherExceptionsOn) {
  EXPECT_THROW(retry_.until_done("trying", [] { throw std::logic_error("ours"); }),
               std::logic_error);
}

TEST_F(Waiting, TriesNothingOnceItIsStopped) {
  stop_ = true;
  EXPECT_THROW(retry_.until_done("trying", fails(0, ErrorClass::kFatal)), Stopped);
  EXPECT_EQ(calls_, 0);
}

TEST_F(Waiting, IsStoppedBetweenTries) {
  EXPECT_THROW(retry_.until_done("trying",
                                 [this] {
                                   stop_ = ++calls_ == 2;
                                   throw KafkaError(ErrorClass::kRetriable,
                                                    RD_KAFKA_RESP_ERR__TRANSPORT, "it failed");
                                 }),
               Stopped);
  EXPECT_EQ(calls_, 2);
}

TEST_F(Waiting, APauseIsStopped) {
  stop_ = true;
  EXPECT_THROW(retry_.pause(std::chrono::hours(1)), Stopped);
}

TEST_F(Waiting, ACallThatSucceedsIsNoNews) {
  retry_.until_done("trying", fails(0, ErrorClass::kFatal));
  EXPECT_EQ(calls_, 1);
  EXPECT_EQ(lines_, "");
}

}  // namespace
}  // namespace neardup::TEST_FILE
