// A state that ends before what was stored in it is refused, by writers and readers, and stays as
// it is; a crash is no such end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "rocksdb_open.h"
#include "rocksdb_raw.h"
#include "storage/rocksdb/state_directory.h"
#include "storage/rocksdb/stored_end.h"

namespace neardup::testing::TEST_FILE {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

namespace fs = std::filesystem;
using Damage = std::function<void(const std::string& path)>;

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void put_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

void remove_file(const std::string& path) { fs::remove(path); }
void empty_file(const std::string& path) { put_bytes(path, ""); }
void cut(const std::string& path) { fs::resize_file(path, fs::file_size(path) - 1); }
void halve(const std::string& path) { fs::resize_file(path, fs::file_size(path) / 2); }
void flip(const std::string& path) {
  std::string bytes = bytes_of(path);
  bytes[bytes.size() / 2] ^= 4;
  put_bytes(path, bytes);
}
void flip_last(const std::string& path) {
  std::string bytes = bytes_of(path);
  bytes.back() ^= 1;
  put_bytes(path, bytes);
}
void zero(const std::string& path) {
  std::string bytes = bytes_of(path);
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 2), bytes.end(), '\0');
  put_bytes(path, bytes);
}
const std::vector<Damage> kDamages = {remove_file, empty_file, cut, halve, flip, flip_last, zero};

class RocksdbEnd : public RocksdbOpen {
 protected:
  // Two runs, so that there are tables, and a log of the second one.
  void make() {
    open()->commit(some_of_everything());
    put_all(*open(), {document(4, {7}), document(5)});
    fs::copy(options_.path, scratch_.file("whole"));
  }
  void make_again() {
    fs::remove_all(options_.path);
    fs::copy(scratch_.file("whole"), options_.path);
  }
  // The last log.
  std::string log() const {
    std::uint64_t last = 0;
    for (const auto& entry : fs::directory_iterator(options_.path)) {
      if (entry.file_size() > 0) last = std::max(last, log_number(entry.path()));
    }
    return options_.path + '/' + log_name(last);
  }
  std::string manifest() const {
    return options_.path + '/' + manifest_name(current_manifest(options_.path));
  }
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::directory_iterator(options_.path)) {
      if (entry.is_regular_file()) found[entry.path()] = bytes_of(entry.path());
    }
    return found;
  }
  void expect_refused(const std::string& damaged) {
    const auto before = files();
    for (const OpenMode mode : {OpenMode::kReadOnly, OpenMode::kReadWrite, OpenMode::kMigrate}) {
      EXPECT_THAT(refusal(Exit::kIo, mode), AllOf(HasSubstr(damaged), HasSubstr("damaged")));
    }
    EXPECT_TRUE(files() == before) << "the state was changed";
  }

  // Runs `work` in a separate process. RocksDB's threads do not survive a fork: only children
  // open stores then.
  static int status_of(const std::function<void()>& work) {
    const pid_t child = fork();
    if (child == 0) {
      work();
      fflush(stdout);
      _exit(HasFailure() ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }
  static void in_child(const std::function<void()>& work) { ASSERT_EQ(status_of(work), 0); }
  // Calls `work` with a store that is open, then kills its process.
  void run_and_kill(const std::function<void(Store&)>& work) {
    const int status = status_of([&] {
      const auto store = open();
      work(*store);
      if (!HasFailure()) kill(getpid(), SIGKILL);
    });
    ASSERT_TRUE(WIFSIGNALED(status));
  }
};

TEST_F(RocksdbEnd, ADamagedLogIsRefusedAndNamed) {
  make();
  for (const Damage& damage : kDamages) {
    make_again();
    const std::string damaged = log();
    damage(damaged);
    expect_refused(damaged);
  }
}

TEST_F(RocksdbEnd, ADamagedManifestIsRefusedAndNamed) {
  make();
  for (const Damage& damage : kDamages) {
    make_again();
    const std::string damaged = manifest();
    damage(damaged);
    expect_refused(fs::path(damaged).filename());
  }
}

TEST_F(RocksdbEnd, ADamagedCurrentIsRefusedAndNamed) {
  make();
  for (const Damage& damage :
       {Damage(remove_file), Damage(empty_file), Damage(zero),
        Damage([](const std::string& path) { put_bytes(path, "MANIFEST-999999\n"); })}) {
    make_again();
    damage(options_.path + "/CURRENT");
    expect_refused(options_.path + "/CURRENT");
  }
}

TEST_F(RocksdbEnd, AnOlderManifestIsRefused) {
  make();
  const std::string older = options_.path + "/MANIFEST-000001";
  fs::copy_file(manifest(), older);
  scratch_.write("state/CURRENT", "MANIFEST-000001\n");
  expect_refused(options_.path + "/CURRENT");
}

TEST_F(RocksdbEnd, LogAndManifestOfAnotherStateAreRefused) {
  make();
  const std::string log_of_first = log();
  const std::string manifest_of_first = manifest();
  options_.path = scratch_.file("other");
  open()->commit(some_of_everything());
  put_all(*open(), {document(4, {8}), document(5)});
  for (const std::string& of_first : {log_of_first, manifest_of_first}) {
    const std::string here = options_.path + '/' + fs::path(of_first).filename().string();
    ASSERT_TRUE(fs::exists(here));
    const std::string whole = bytes_of(here);
    put_bytes(here, bytes_of(of_first));
    expect_refused(here);
    put_bytes(here, whole);
  }
  EXPECT_NO_THROW(open());
}

TEST_F(RocksdbEnd, TheEndOfAnotherStateIsRefused) {
  make();
  StoredEnd other;  // before any manifest
  other.uuid = std::string(36, 'a');
  create_end(options_.path, other);
  EXPECT_THAT(refusal(Exit::kIo), AllOf(HasSubstr(end_path(options_.path)), HasSubstr("aaaa")));
}

TEST_F(RocksdbEnd, ADamagedEndIsRefusedAndMayBeRemoved) {
  make();
  for (const Damage& damage : {Damage(empty_file), Damage([](const std::string& path) {
                                 put_bytes(path, std::string(2 * kEndSlotBytes, '\0'));
                               })}) {
    damage(end_path(options_.path));
    expect_refused(end_path(options_.path));
  }
  fs::remove(end_path(options_.path));
  EXPECT_TRUE(document_of(*open(OpenMode::kReadOnly), 5));
}

TEST_F(RocksdbEnd, OneHalfOfTheEndIsEnough) {
  make();
  for (const Damage& damage : {Damage(flip), Damage(flip_last), Damage(halve)}) {
    make_again();
    damage(end_path(options_.path));
    EXPECT_TRUE(document_of(*open(OpenMode::kReadOnly), 5));
    const std::string damaged = log();
    fs::remove(damaged);
    EXPECT_THAT(refusal(Exit::kIo), HasSubstr(damaged));
  }
}

TEST_F(RocksdbEnd, AProgramWithoutItMayUseTheStateMeanwhile) {
  make();
  with_family(options_.path, "meta", [](rocksdb::DB& database, rocksdb::ColumnFamilyHandle* meta) {
    rocksdb::WriteOptions durable;
    durable.sync = true;
    ASSERT_TRUE(database.Put(durable, meta, "position", "19").ok());
  });
  EXPECT_EQ(open(OpenMode::kReadOnly)->meta("position"), "19");
  EXPECT_EQ(open()->meta("position"), "19");
}

TEST_F(RocksdbEnd, ALowerSeqOrSequenceThanTheEndSaysIsRefused) {
  make();
  const auto end = read_end(options_.path);
  ASSERT_TRUE(end);
  for (const bool seq : {true, false}) {
    StoredEnd later = *end;
    later.manifest.number = 1;  // so that files are not compared
    seq ? later.next_seq = 1000 : later.sequence += 1;
    create_end(options_.path, later);
    EXPECT_THAT(refusal(Exit::kIo, OpenMode::kReadOnly),
                AllOf(HasSubstr("ends before"), HasSubstr(seq ? "1000" : "last write")));
  }
}

TEST_F(RocksdbEnd, AKilledWriterHasNamedItsFirstCommit) {
  in_child([this] { make(); });
  run_and_kill([](Store& store) { put_all(store, {document(6)}); });
  const std::string damaged = log();
  fs::copy_file(damaged, scratch_.file("log"));
  halve(damaged);
  in_child([&] { expect_refused(damaged); });
  fs::remove(damaged);
  in_child([&] { expect_refused(damaged); });
  fs::copy_file(scratch_.file("log"), damaged);
  EXPECT_TRUE(document_of(*open(), 6));
}

TEST_F(RocksdbEnd, WhatAKilledWriterHasNotNamedMayBeTorn) {
  run_and_kill([this](Store& store) {
    put_all(store, {document(6)});
    const auto sequence = [this] { return read_end(options_.path)->sequence; };
    const std::uint64_t before = sequence();
    put_all(store, {document(7)});
    while (sequence() == before) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    put_all(store, {document(8)});  // in the two seconds after an end was written
  });
  cut(log());
  const auto store = open();
  EXPECT_TRUE(document_of(*store, 7));
  EXPECT_FALSE(document_of(*store, 8));
}

// A document that fills the log.
void put_large(Store& store, Seq seq) {
  WriteSet writes;
  const std::string text(50'000, 'x');
  DocumentRow row = document(seq);
  row.id += text;
  put(writes, row);
  store.commit(writes);
}

TEST_F(RocksdbEnd, LogsMayGoThatTheStateNeedsNoMore) {
  options_.memory = std::uint64_t{1} << 20;
  constexpr Seq kEach = 300;
  for (Seq round = 0; round < 3; ++round) {
    run_and_kill([&](Store& store) {
      put_large(store, round * kEach + 1);
      const std::string first = log();
      for (Seq i = 2; i <= kEach; ++i) put_large(store, round * kEach + i);
      EXPECT_FALSE(fs::exists(first));
    });
    in_child([&] { EXPECT_EQ(open()->size().documents, (round + 1) * kEach); });
  }
}

TEST_F(RocksdbEnd, TombstonesThatAreForgottenAreNamedToo) {
  options_.memory = std::uint64_t{1} << 20;
  {
    const auto store = open();
    store->commit(some_of_everything());
    store->commit(all_of_it_erased());
    std::vector<DocumentRow> rows;
    for (Seq seq = 4; seq <= 20'000; ++seq) rows.push_back(document(seq));
    put_all(*store, rows);  // flushes the index, which forgets the two
  }
  const auto end = read_end(options_.path);
  ASSERT_TRUE(end);
  std::map<std::string, std::uint64_t> named;
  for (const FilePrefix& part : end->logs) named[log_name(part.number)] = part.bytes;
  EXPECT_FALSE(named.empty());
  for (const auto& entry : fs::directory_iterator(options_.path)) {
    if (log_number(entry.path()) == 0 || entry.file_size() == 0) continue;
    EXPECT_EQ(named[entry.path().filename()], entry.file_size()) << entry.path();
  }
}

TEST_F(RocksdbEnd, AReaderBesideAWriterIsNotMisled) {
  options_.memory = std::uint64_t{1} << 20;
  const auto writer = open();
  std::atomic<bool> done = false;
  std::thread reads([&] {
    while (!done) EXPECT_NO_THROW(open_store(options_, OpenMode::kReadOnly));
  });
  for (Seq seq = 1; seq <= 400; ++seq) put_large(*writer, seq);
  done = true;
  reads.join();
}

TEST_F(RocksdbEnd, ACheckpointHasAnEndOfItsOwn) {
  const std::string copy = scratch_.file("copy");
  {
    const auto store = open();
    store->commit(some_of_everything());
    store->checkpoint(copy);
    put_all(*store, {document(9)});
  }
  const auto end = read_end(copy);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->uuid, open()->meta("uuid"));
  EXPECT_GT(end->sequence, 0);
  options_.path = copy;
  expect_some_of_everything(*open(OpenMode::kReadOnly));
  halve(manifest());
  expect_refused(manifest());
}

TEST_F(RocksdbEnd, ATemporaryStateHasNone) {
  options_.temporary = true;
  open()->commit(some_of_everything());
  EXPECT_FALSE(fs::exists(end_path(options_.path)));
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
