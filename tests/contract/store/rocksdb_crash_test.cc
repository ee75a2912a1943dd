// A writer that is killed, or whose disk is full, loses nothing that was acknowledged and leaves no
// half batch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <list>
#include <random>
#include <thread>

#include "pipeline/base/failure.h"
#include "storage/stores.h"
#include "store_under_test.h"

namespace neardup::testing::TEST_FILE {
namespace {

constexpr Seq kBatchDocuments = 20;
constexpr std::uint64_t kTextBytes = 2'000;

// Random words of hex digits: they do not compress to nothing.
std::string text_of(Seq seq) {
  std::mt19937_64 random(seq);
  std::string text;
  while (text.size() < kTextBytes) text += std::to_string(random()) + ' ';
  return text;
}

// Document `seq`, in one of five buckets.
DocumentRow row_of(Seq seq) { return document(seq, {seq % 5}); }

// Batch n (from 1): documents (n − 1)·20 + 1 … n·20, each with id and text, the meta key "last" =
// n, and n alone in the outbox.
void commit_batch(Store& store, std::uint64_t n) {
  WriteSet writes;
  std::list<std::string> texts;
  for (Seq i = 1; i <= kBatchDocuments; ++i) {
    const Seq seq = (n - 1) * kBatchDocuments + i;
    put(writes, row_of(seq), texts.emplace_back(text_of(seq)));
  }
  writes.meta = {{"last", std::to_string(n)}};
  writes.erase_outbox = {n - 1};
  writes.outbox = {{n, std::to_string(n)}};
  store.commit(writes);
}

std::uint64_t last_batch(Store& store) { return std::stoull(store.meta("last").value_or("0")); }

void expect_whole_batches(Store& store) {
  const std::uint64_t batch = last_batch(store);
  if (batch > 0) {
    EXPECT_EQ(store.outbox(batch), std::to_string(batch));
  }
  EXPECT_EQ(store.outbox(batch - 1), std::nullopt);
  EXPECT_EQ(store.outbox(batch + 1), std::nullopt);
  const Seq last = batch * kBatchDocuments;
  EXPECT_EQ(store.size().documents, last);
  EXPECT_EQ(store.size().ids, last);
  for (Seq seq = 1; seq <= last; ++seq) {
    ASSERT_TRUE(document_of(store, seq)) << seq;
    ASSERT_EQ(store.text(seq), text_of(seq)) << seq;
    ASSERT_TRUE(id_of(store, id_key_of(row_of(seq)))) << seq;
  }
  std::size_t found = 0;
  for (std::uint64_t n = 0; n < 5; ++n) found += members(store, bucket(0, n), 1'000).size();
  EXPECT_EQ(found, last);
  EXPECT_FALSE(document_of(store, last + 1));
}

class RocksdbCrash : public ::testing::Test {
 protected:
  // Commits batches for ever and writes a byte for each that is acknowledged.
  [[noreturn]] void commit_for_ever(int acknowledged) {
    const auto store = open_indexed(options_);
    for (std::uint64_t n = last_batch(*store) + 1;; ++n) {
      commit_batch(*store, n);
      if (write(acknowledged, "", 1) != 1) _exit(1);
    }
  }

  // Runs a writer until it has acknowledged `batches` and a little longer; how many it
  // acknowledged.
  std::uint64_t run_and_kill(std::uint64_t batches, std::chrono::microseconds longer) {
    int pipe_ends[2];
    EXPECT_EQ(pipe(pipe_ends), 0);
    const pid_t writer = fork();
    if (writer == 0) commit_for_ever(pipe_ends[1]);
    close(pipe_ends[1]);
    std::uint64_t acknowledged = 0;
    char byte;
    while (acknowledged < batches && read(pipe_ends[0], &byte, 1) == 1) ++acknowledged;
    std::this_thread::sleep_for(longer);
    kill(writer, SIGKILL);
    waitpid(writer, nullptr, 0);
    while (read(pipe_ends[0], &byte, 1) == 1) ++acknowledged;
    close(pipe_ends[0]);
    EXPECT_GE(acknowledged, batches);
    return acknowledged;
  }

  ScratchDirectory scratch_;
  StorageOptions options_ = rocksdb_test_options(scratch_.file("state"));
};

TEST_F(RocksdbCrash, AKilledWriterLosesNoAcknowledgedBatchAndLeavesNoHalfOne) {
  std::mt19937_64 random(7);
  std::uint64_t acknowledged = 0;
  for (int round = 0; round < 6; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const std::uint64_t before = acknowledged;
    acknowledged += run_and_kill(1 + random() % 30, std::chrono::microseconds(random() % 3000));
    const auto store = open_indexed(options_);
    EXPECT_GE(last_batch(*store), acknowledged);
    EXPECT_LE(last_batch(*store), acknowledged + 1);  // one may be stored and not yet acknowledged
    EXPECT_GT(last_batch(*store), before);
    ASSERT_NO_FATAL_FAILURE(expect_whole_batches(*store));
    acknowledged = last_batch(*store);
  }
}

TEST_F(RocksdbCrash, AKillInTheMiddleOfCreationLeavesAStateThatOpens) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 20; ++round) {
    destroy_state(options_.path);
    run_and_kill(0, std::chrono::microseconds(random() % 40'000));
    const auto store = open_indexed(options_);
    ASSERT_NO_FATAL_FAILURE(expect_whole_batches(*store)) << "round " << round;
  }
}

// A disk that is full, for one process: no file of it may grow beyond `bytes`.
void limit_files(rlim_t bytes) {
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(1);
}

TEST_F(RocksdbCrash, AFailedWriteIsAnIoFailureAndEarlierBatchesStay) {
  constexpr std::uint64_t kGood = 3;
  constexpr int kRefusedAsPromised = 42;
  const pid_t writer = fork();
  ASSERT_GE(writer, 0);
  if (writer == 0) {
    const auto store = open_indexed(options_);
    for (std::uint64_t n = 1; n <= kGood; ++n) commit_batch(*store, n);
    limit_files(store->size().disk_bytes + 10'000);
    for (int attempt = 0; attempt < 2; ++attempt) {  // the second one must be refused too
      try {
        for (std::uint64_t n = kGood + 1; n < 1'000; ++n) commit_batch(*store, n);
        _exit(1);
      } catch (const Failure& failure) {
        const std::string message = failure.what();
        if (failure.exit() != Exit::kIo || message.find(options_.path) == std::string::npos)
          _exit(2);
      }
    }
    _exit(kRefusedAsPromised);
  }
  int status = 0;
  waitpid(writer, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), kRefusedAsPromised);
  const auto store = open_indexed(options_);
  EXPECT_GE(last_batch(*store), kGood);
  ASSERT_NO_FATAL_FAILURE(expect_whole_batches(*store));
  commit_batch(*store, last_batch(*store) + 1);
  ASSERT_NO_FATAL_FAILURE(expect_whole_batches(*store));
}

TEST_F(RocksdbCrash, AFullDiskWhileCreatingIsAnIoFailure) {
  constexpr int kRefusedAsPromised = 42;
  const pid_t writer = fork();
  ASSERT_GE(writer, 0);
  if (writer == 0) {
    limit_files(10);
    try {
      open_indexed(options_);
    } catch (const Failure& failure) {
      _exit(failure.exit() == Exit::kIo ? kRefusedAsPromised : 2);
    }
    _exit(1);
  }
  int status = 0;
  waitpid(writer, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), kRefusedAsPromised);
  EXPECT_NO_THROW(open_indexed(options_));
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
