#include "service/file/flags_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "pipeline/base/failure.h"
#include "service/file/file_delivery.h"
#include "storage/store.h"
#include "tests/unit/service/file/support.h"

namespace neardup::TEST_FILE {
namespace {

using testing::HasSubstr;

class FlagsFileTest : public testing::Test {
 protected:
  FlagsFileOptions options(bool half_read) {
    return {
        .path = folder.file("flags"), .stored = stored, .half_read = half_read, .durable = true};
  }
  // Opens, appends, syncs and stores.
  void write(const std::string& bytes, bool half_read = true) {
    FlagsFile file(options(half_read));
    file.append(bytes);
    file.sync();
    stored = file.stored_value();
  }
  std::string content() { return folder.read("flags"); }
  void expect_refused() {
    const bool there = std::filesystem::exists(folder.file("flags"));
    const std::string before = content();
    try {
      FlagsFile file(options(true));
      ADD_FAILURE() << "opened";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kUnavailable);
      EXPECT_THAT(failure.what(), HasSubstr(folder.file("flags")));
    }
    EXPECT_EQ(content(), before);
    EXPECT_EQ(std::filesystem::exists(folder.file("flags")), there);
  }

  ScratchDirectory folder;
  std::optional<std::string> stored;
};

TEST_F(FlagsFileTest, a_file_of_somebody_else_is_replaced) {
  folder.write("flags", "old\n");
  write("new\n");
  EXPECT_EQ(content(), "new\n");
}

TEST_F(FlagsFileTest, a_file_that_waits_loses_nothing_before_it_begins) {
  folder.write("flags", "old\n");
  FlagsFileOptions waiting = options(false);
  waiting.waits = true;
  { const FlagsFile file(waiting); }
  EXPECT_EQ(content(), "old\n");
  {
    FlagsFile file(waiting);
    file.begin();
    file.append("new\n");
    stored = waiting.stored = file.stored_value();
  }
  EXPECT_EQ(content(), "new\n");
  folder.write("flags", "new\nnot stored");
  { const FlagsFile file(waiting); }
  EXPECT_EQ(content(), "new\nnot stored");
  {
    FlagsFile file(waiting);
    file.begin();
  }
  EXPECT_EQ(content(), "new\n");
}

TEST_F(FlagsFileTest, a_file_that_never_began_is_not_left_behind) {
  FlagsFileOptions waiting = options(false);
  waiting.waits = true;
  { const FlagsFile file(waiting); }
  EXPECT_FALSE(std::filesystem::exists(waiting.path));
}

TEST_F(FlagsFileTest, goes_on_where_the_state_says) {
  for (int i = 0; i < 5; ++i) write(std::string(1500, static_cast<char>('a' + i)));
  write("");
  write("end", false);
  EXPECT_EQ(content().size(), 7503);
  EXPECT_EQ(content().substr(7490), "eeeeeeeeeeend");
}

TEST_F(FlagsFileTest, what_was_written_after_the_stored_length_is_cut_off) {
  const std::string first(5000, 'x');
  write(first);
  for (const std::string& lost : {std::string("half a fl"), std::string(9000, 'y')}) {
    {
      FlagsFile file(options(true));
      file.append(lost);
      file.sync();
    }
    EXPECT_EQ(content(), first + lost);
    FlagsFile file(options(true));
    EXPECT_EQ(content(), first);
  }
}

TEST_F(FlagsFileTest, a_missing_shorter_or_changed_file_stops_an_interrupted_run) {
  write(std::string(5000, 'x'));
  folder.write("flags", std::string(4999, 'x'));
  expect_refused();
  folder.write("flags", std::string(4999, 'x') + "y");
  expect_refused();
  std::filesystem::remove(folder.file("flags"));
  expect_refused();
  folder.write("flags", std::string(5000, 'x'));
  write("y");
  EXPECT_EQ(content().size(), 5001);
}

TEST_F(FlagsFileTest, a_changed_file_is_replaced_when_no_run_was_interrupted) {
  write("abc");
  folder.write("flags", "abd");
  write("new", false);
  EXPECT_EQ(content(), "new");
}

TEST_F(FlagsFileTest, another_path_is_refused_only_while_a_run_is_interrupted) {
  write("abc");
  FlagsFileOptions other = options(true);
  other.path = folder.file("other");
  EXPECT_THROW(FlagsFile{other}, Failure);
  EXPECT_FALSE(std::filesystem::exists(other.path));
  other.half_read = false;
  FlagsFile file(other);
  EXPECT_TRUE(std::filesystem::exists(other.path));
  EXPECT_EQ(content(), "abc");
}

TEST_F(FlagsFileTest, a_path_with_spaces_and_a_stored_value_of_another_version) {
  FlagsFileOptions spaced{.path = folder.file("a b  c"), .stored = {}};
  {
    FlagsFile file(spaced);
    file.append("x");
    spaced.stored = file.stored_value();
  }
  spaced.half_read = true;
  FlagsFile again(spaced);
  EXPECT_EQ(again.stored_value(), *spaced.stored);
  for (const char* bad : {"", "2 1 x", "1 ", "1 x y z", "1 5 abc /p"}) {
    spaced.stored = bad;
    EXPECT_THROW(FlagsFile{spaced}, Failure) << bad;
  }
}

TEST_F(FlagsFileTest, a_full_disk_is_an_io_error_that_names_the_path) {
  FlagsFile file({.path = "/dev/full", .stored = {}});
  EXPECT_FALSE(file.regular());
  try {
    file.append("x");
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kIo);
    EXPECT_THAT(failure.what(), HasSubstr("/dev/full: No space left"));
  }
}

TEST_F(FlagsFileTest, a_directory_or_a_missing_folder_is_an_io_error) {
  for (const std::string& path : {folder.file(""), folder.file("no/such")}) {
    try {
      FlagsFile file({.path = path, .stored = {}});
      FAIL() << path;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kIo);
    }
  }
}

TEST_F(FlagsFileTest, a_service_replaces_no_file) {
  FlagsFileOptions service{
      .path = folder.file("flags"), .stored = {}, .durable = true, .of_service = true};
  stored = FlagsFile(service).stored_value();
  folder.write("flags", "of a batch that was not committed\n");
  service.stored = stored;
  FlagsFile file(service);
  EXPECT_EQ(content(), "");
  file.append("flag\n");
  service.stored = file.stored_value();
  service.half_read = true;
  const auto failure_of = [&] {
    try {
      FlagsFile refused(service);
    } catch (const Failure& failure) {
      return std::string(failure.what());
    }
    return std::string("opened");
  };
  folder.write("flags", "flip\n");
  EXPECT_THAT(failure_of(), HasSubstr("start once without `output.file`"));
  service.stored.reset();
  EXPECT_THAT(failure_of(), HasSubstr("was not written by this state"));
  EXPECT_EQ(content(), "flip\n");
}

TEST_F(FlagsFileTest, no_more_than_a_batch_is_cut_off) {
  write("1\n2\n");
  const std::string known = content();
  FlagsFileOptions again = options(true);
  again.stored_batch = "3";
  folder.write("flags", known + "3\n4\n5\nhalf of");
  try {
    FlagsFile file(again);
    ADD_FAILURE() << "opened";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kUnavailable);
    EXPECT_THAT(failure.what(), HasSubstr("has 4 flags after the 4 bytes"));
  }
  EXPECT_EQ(content(), known + "3\n4\n5\nhalf of");
  folder.write("flags", known + "3\n4\nhalf of");
  EXPECT_EQ(FlagsFile(again).stored_value(), stored);
  EXPECT_EQ(content(), known);
  folder.write("flags", known + "3\n4\n5\n6\n");
  again.batch = 4;  // larger now; perhaps it was before, too
  EXPECT_EQ(FlagsFile(again).stored_value(), stored);
  EXPECT_EQ(content(), known);
}

TEST_F(FlagsFileTest, what_came_after_a_restored_backup_is_kept_beside) {
  write("1\n2\n");
  const std::string known = content();
  FlagsFileOptions restored = options(true);
  restored.restored = true;
  restored.stored_batch = "1";
  for (const std::string& later :
       {std::string("3\n4\n5\n"), std::string(3'000'000, 'x') + "\n6\n"}) {
    folder.write("flags", known + later);
    FlagsFile file(restored);
    EXPECT_EQ(content(), known);
    EXPECT_EQ(file.later().flags, later.size() < 10 ? 3 : 2);
    EXPECT_EQ(folder.read(std::filesystem::path(file.later().path).filename().string()), later);
    WriteSet writes;
    file.store(writes);
    EXPECT_EQ(writes.meta.back(), std::pair(std::string(kOutputRestoredKey), std::string()));
  }
  EXPECT_TRUE(std::filesystem::exists(folder.file("flags.later-2")));
  FlagsFile file(restored);  // nothing came later
  EXPECT_EQ(file.later().flags, 0);
  EXPECT_FALSE(std::filesystem::exists(folder.file("flags.later-3")));
}

TEST_F(FlagsFileTest, a_reader_that_went_away_is_an_io_error) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string path = "/dev/fd/" + std::to_string(ends[1]);
  FlagsFile file({.path = path, .stored = {}});
  ::close(ends[0]);
  EXPECT_THROW(file.append("x"), Failure);
  ::close(ends[1]);
  std::signal(SIGPIPE, before);
}

TEST_F(FlagsFileTest, flags_are_written_before_the_commit_and_their_length_goes_with_it) {
  Flag flag;
  flag.id = "i";
  flag.source = {.input = 0, .place = 3};
  for (const bool durable : {false, true}) {
    FlagsFile file({.path = folder.file("flags"), .stored = {}, .durable = durable});
    AllRejected rejected({}, {"in"});
    FileDelivery delivery({"0123456789abcdef", 800'000, file_sources({"in"})}, file, &rejected,
                          durable);
    WriteSet writes;
    std::vector<Flag> flags{flag, flag};
    RawChunk chunk;
    chunk.records.resize(flags.size());
    delivery.add(chunk, flags);
    delivery.before_commit(writes);
    EXPECT_THAT(
        content(),
        HasSubstr("{\"id\":\"i\",\"seq\":0,\"status\":\"unique\",\"threshold\":0.8,"
                  "\"rule\":\"0123456789abcdef\",\"source\":{\"file\":\"in\",\"line\":3}}\n"));
    EXPECT_EQ(writes.meta.size(), durable ? 2 : 0);
    if (durable) {
      EXPECT_EQ(writes.meta[0], std::pair(std::string(kOutputKey), file.stored_value()));
      EXPECT_EQ(writes.meta[1], std::pair(std::string(kOutputBatchKey), std::string("0")));
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
