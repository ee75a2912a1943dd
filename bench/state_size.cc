// What a state takes beyond its encoded keys and values, for documents as `scan` keeps them: random
// sketches and buckets, ids of 32 bytes.
#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/table_properties.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <random>

#include "storage/format.h"
#include "storage/store.h"
#include "storage/stores.h"

namespace neardup {
namespace {

constexpr std::uint64_t kPostingBytes = 8;   // the rest of a hash, and an offset
constexpr std::uint64_t kOtherPostings = 2;  // content and id
constexpr int kOneBitWords = 4;              // kept for flagged ones, too
constexpr std::int64_t kTimeMs = 1'700'000'000'000;

struct Load {
  std::uint32_t documents = 200'000;
  std::uint32_t flagged = 0;  // more ids, of copies
  std::uint16_t bands = 16;
  std::uint32_t batch = 16'384;
};

class DocumentMaker {
 public:
  explicit DocumentMaker(const Load& load) : load_(load) {}

  WriteSet batch(std::uint32_t documents) {
    WriteSet writes;
    for (std::uint32_t i = 0; i < documents; ++i) {
      if (is_kept(++seq_)) {
        add_kept(writes);
      } else {
        add_flagged(writes);
      }
    }
    return writes;
  }
  std::uint64_t encoded_bytes() const { return encoded_bytes_; }

 private:
  // Spreads the kept documents evenly over the seqs.
  bool is_kept(Seq seq) const {
    const std::uint64_t all = std::uint64_t{load_.documents} + load_.flagged;
    return seq * load_.documents / all != (seq - 1) * load_.documents / all;
  }
  std::string make_id() { return fmt::format("{:016x}{:016x}", random_(), random_()); }

  void add_flagged(WriteSet& writes) {
    const IdKey key{"", make_id()};
    const IdRow row{.seq = seq_,
                    .time_ms = kTimeMs + static_cast<std::int64_t>(seq_),
                    .content = {random_(), random_()},
                    .kept = false,
                    .has_document = false,
                    .original = 1 + random_() % load_.documents,
                    .similarity = 900'000};
    encoded_bytes_ += kSeqBytes + encode_id(key, row).size() + kOneBitWords * 8 + kPostingBytes;
    writes.ids.emplace_back(key, row);
  }

  void add_kept(WriteSet& writes) {
    DocumentRow row;
    row.seq = seq_;
    row.id = make_id();
    row.time_ms = kTimeMs + static_cast<std::int64_t>(seq_);
    row.content = {random_(), random_()};
    row.tokens = 600;
    row.text_bytes = 4096;
    for (int i = 0; i < 32; ++i) row.sketch.push_back(random_());
    IndexEntry index;
    for (std::uint16_t band = 0; band < load_.bands; ++band) index.buckets.push_back(random_());
    for (int i = 0; i < kOneBitWords; ++i) index.one_bit.push_back(random_());
    const IdRow id{.seq = seq_, .time_ms = row.time_ms, .content = row.content};
    encoded_bytes_ += kSeqBytes + encode_document(row).size() + index.one_bit.size() * 8 +
                      (load_.bands + kOtherPostings) * kPostingBytes;
    writes.ids.emplace_back(IdKey{"", row.id}, id);
    writes.documents.push_back({std::move(row), {}, std::move(index)});
  }

  Load load_;
  std::mt19937_64 random_{1};
  Seq seq_ = 0;
  std::uint64_t encoded_bytes_ = 0;
};

// Returns the encoded bytes of all.
std::uint64_t write_all(Store& store, const Load& load) {
  DocumentMaker maker(load);
  store.set_index([](const DocumentRow&) { return IndexEntry(); });
  const std::uint32_t all = load.documents + load.flagged;
  for (std::uint32_t done = 0; done < all; done += load.batch) {
    store.commit(maker.batch(std::min(load.batch, all - done)));
  }
  return maker.encoded_bytes();
}

std::uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0;
  statm >> pages >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

struct Row {
  std::string part;
  std::uint64_t encoded = 0;
  std::uint64_t data = 0;
  std::uint64_t index = 0;
  std::uint64_t filter = 0;
};

void print(const Row& row, const Load& load, bool json) {
  const auto each = [&](std::uint64_t bytes) {
    return static_cast<double>(bytes) / load.documents;
  };
  const std::uint64_t all = row.data + row.index + row.filter;
  const double factor = static_cast<double>(all) / static_cast<double>(row.encoded);
  fmt::print(fmt::runtime(json ? "{{\"part\":\"{}\",\"encoded\":{:.1f},\"data\":{:.1f},"
                                 "\"index\":{:.2f},\"filter\":{:.2f},\"factor\":{:.3f}}}\n"
                               : "{:18} {:10.1f} {:10.1f} {:8.2f} {:8.2f} {:8.3f}\n"),
             row.part, each(row.encoded), each(row.data), each(row.index), each(row.filter),
             factor);
}

// Prints the sizes of the tables of each column family.
void print_tables(const std::string& path, const Load& load, bool json) {
  std::vector<std::string> names;
  rocksdb::DB::ListColumnFamilies({}, path, &names);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const std::string& name : names) families.emplace_back(name, rocksdb::ColumnFamilyOptions());
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  const auto status = rocksdb::DB::OpenForReadOnly({}, path, families, &handles, &db);
  if (!status.ok()) throw std::runtime_error(status.ToString());
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    rocksdb::TablePropertiesCollection tables;
    db->GetPropertiesOfAllTables(handle, &tables);
    Row row{handle->GetName()};
    for (const auto& [name, table] : tables) {
      // The raw key holds 8 bytes of RocksDB's own.
      row.encoded += table->raw_key_size - 8 * table->num_entries + table->raw_value_size;
      row.data += table->data_size;
      row.index += table->index_size;
      row.filter += table->filter_size;
    }
    if (row.encoded > 0) print(row, load, json);
    delete handle;
  }
  delete db;
}

void print_memory_store(StorageOptions options, const Load& load, bool json) {
  const std::uint64_t before = resident_bytes();
  options.store = StoreName::kMemory;
  const auto store = open_store(options, OpenMode::kReadWrite);
  const std::uint64_t encoded = write_all(*store, load);
  print({"memory store", encoded, resident_bytes() - before}, load, json);
}

void print_rocksdb_store(const StorageOptions& options, const Load& load, bool json) {
  destroy_state(options.path);
  {
    const auto store = open_store(options, OpenMode::kReadWrite);
    const std::uint64_t encoded = write_all(*store, load);
    print({"all, as written", encoded, store->size().disk_bytes}, load, json);
    store->compact();
    print({"all, compacted", encoded, store->size().disk_bytes}, load, json);
  }
  print_tables(options.path, load, json);
  destroy_state(options.path);
}

int run(int argc, char** argv) {
  CLI::App app{"Bytes per document of a state, by column family, and of the memory store"};
  Load load;
  bool json = false;
  StorageOptions options;
  options.path = (std::filesystem::temp_directory_path() / "neardup-bench-state-size").string();
  app.add_option("--documents", load.documents, "kept ones")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--flagged", load.flagged, "copies besides")->capture_default_str();
  app.add_option("--bands", load.bands, "bands of a document")->capture_default_str();
  app.add_option("--path", options.path, "directory for the state; removed")->capture_default_str();
  app.add_flag("--json", json, "one JSON object a row");
  CLI11_PARSE(app, argc, argv);

  if (!json)
    fmt::print("{:18} {:>10} {:>10} {:>8} {:>8} {:>8}\n", "part", "encoded", "data", "index",
               "filter", "factor");
  // First, while nothing else has used memory.
  print_memory_store(options, load, json);
  print_rocksdb_store(options, load, json);
  return 0;
}

}  // namespace
}  // namespace neardup

int main(int argc, char** argv) { return neardup::run(argc, argv); }
