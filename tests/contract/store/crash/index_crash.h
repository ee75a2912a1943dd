// A writer whose index flushes and merges all the time, killed at any moment: the state answers
// like the model of all commits that were acknowledged.
//
// RocksDB's threads do not survive a fork: whoever opens a store here is a child of a process that
// has never opened one.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <thread>

#include "../differential.h"
#include "file_operations.h"

namespace neardup::testing {

class IndexCrash : public ::testing::Test {
 protected:
  static constexpr int kSetsBefore = 18;  // several generations, so that the writer merges soon
  static constexpr int kSets = 14;
  static constexpr int kSetsAfter = 3;

  // What a writer has done and is going to do.
  struct Past {
    History history;
    Model model;
    int sets = 0;

    void commit_next(Store* store) {
      const WriteSet& next = history.next(model);
      model.apply(next);
      ++sets;
      if (store == nullptr) return;
      WriteSet writes = next;
      writes.meta.emplace_back("last", std::to_string(sets));
      store->commit(writes);
    }
  };

  static pid_t start(const std::function<void()>& run) {
    const pid_t child = fork();
    if (child != 0) return child;
    try {
      run();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    fflush(stdout);
    _exit(HasFailure() ? 1 : 0);
  }
  static int status_of(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }
  static void in_child(const std::function<void()>& run) { ASSERT_EQ(status_of(start(run)), 0); }

  // The state that every round begins with.
  void make_original() {
    in_child([this] {
      const auto store = open_indexed(at("original"));
      for (int i = 0; i < kSetsBefore; ++i) original_.commit_next(store.get());
    });
    for (int i = 0; i < kSetsBefore; ++i) original_.commit_next(nullptr);
  }

  // Commits sets and writes a byte for each that is acknowledged.
  void write_sets(int acknowledged) {
    Past past = original_;
    const auto store = open_indexed(at("state"));
    for (int i = 0; i < kSets; ++i) {
      past.commit_next(store.get());
      ASSERT_EQ(write(acknowledged, "", 1), 1);
      if (i % 6 == 5) store->compact();
    }
  }

  // Lets a writer run until `kill_it` has, or its own file operation does, or to its end. How many
  // sets it acknowledged.
  int run_writer(std::uint64_t last_operation, const std::function<void(pid_t)>& kill_it) {
    std::filesystem::remove_all(at("state").path);
    std::filesystem::copy(at("original").path, at("state").path);
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t writer = start([&] {
      last_file_operation = last_operation;
      write_sets(ends[1]);
    });
    close(ends[1]);
    kill_it(writer);
    const int status = status_of(writer);
    EXPECT_TRUE(status == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)) << status;
    killed_ += status != 0;
    int acknowledged = 0;
    for (char byte; read(ends[0], &byte, 1) == 1;) ++acknowledged;
    close(ends[0]);
    return acknowledged;
  }

  void check_what_is_left(int acknowledged) {
    in_child([&] {
      Past past = original_;
      const auto store = open_indexed(at("state"));
      const int last = std::stoi(store->meta("last").value_or("0"));
      ASSERT_GE(last, kSetsBefore + acknowledged);
      ASSERT_LE(last, kSetsBefore + acknowledged + 1);
      while (past.sets < last) past.commit_next(nullptr);
      ASSERT_NO_FATAL_FAILURE(check_all(*store, past));
      for (int i = 0; i < kSetsAfter; ++i) past.commit_next(store.get());
      ASSERT_NO_FATAL_FAILURE(check_all(*store, past));
      ASSERT_NO_FATAL_FAILURE(compact_and_check(*store, past.model));
      ASSERT_NO_FATAL_FAILURE(check_all(*store, past));
    });
  }

  static void check_all(Store& store, Past& past) {
    History asks = past.history;
    ASSERT_NO_FATAL_FAILURE(check(store, past.model, asks));
    constexpr std::size_t kAll = 1'000'000;
    for (std::uint64_t n = 0; n < kHistoryBuckets; ++n) {
      for (std::uint16_t band = 0; band < kHistoryBands; ++band) {
        ASSERT_NO_FATAL_FAILURE(check_bucket(store, past.model, bucket(band, n), kAll));
      }
      ASSERT_NO_FATAL_FAILURE(check_bucket(store, past.model, {kContentBand, key_of(n)}, kAll));
    }
    std::vector<IdKey> keys;
    for (const auto& [seq, id] : past.model.ids()) keys.push_back(id.first);
    std::vector<std::optional<IdRow>> rows;
    store.ids(keys, rows);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_TRUE(rows[i] && same(*rows[i], *past.model.id(keys[i]))) << i;
    }
  }
  static void check_bucket(Store& store, const Model& model, const Bucket& bucket,
                           std::size_t limit) {
    const Hints hints = hints_of(store, bucket, 0, limit);
    check_list(model, bucket, 0, limit, hints.seqs, hints.more);
  }

  // Half of the rounds are killed before some operation on a file, half at some moment.
  void run_rounds(int rounds) {
    make_original();
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(run_writer(0, [](pid_t) {}), kSets);
    const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - begin;
    ASSERT_NO_FATAL_FAILURE(check_what_is_left(kSets));
    std::mt19937_64 random(kSeed);
    for (int round = 0; round < rounds; ++round) {
      const double moment = static_cast<double>(random() % 10'000) / 10'000;
      const auto operation =
          round % 2 == 0 ? 1 + static_cast<std::uint64_t>(moment * kOperations) : 0;
      SCOPED_TRACE(::testing::Message() << "seed " << kSeed << ", round " << round << ", operation "
                                        << operation << ", at " << moment);
      const int acknowledged = run_writer(operation, [&](pid_t writer) {
        if (operation != 0) return;
        std::this_thread::sleep_for(whole * moment);
        kill(writer, SIGKILL);
      });
      ASSERT_NO_FATAL_FAILURE(check_what_is_left(acknowledged));
    }
    EXPECT_GT(killed_, rounds / 2) << "too few kills came in the middle to prove anything";
  }

  StorageOptions at(const std::string& name) const {
    StorageOptions options = rocksdb_test_options(scratch_.file(name));
    options.memory = std::uint64_t{1} << 20;
    return options;
  }

  static constexpr std::uint64_t kSeed = 20260611;
  static constexpr double kOperations = 380;  // a writer does some more

  ScratchDirectory scratch_;
  Past original_{History(kSeed, {.changes = 800, .ids = 6000, .gap = 20'000}), {}, 0};
  int killed_ = 0;
};

}  // namespace neardup::testing
