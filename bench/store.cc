// How fast a store answers look-ups and takes commits, for documents as `scan` makes them: a sketch
// of 256 bytes, `--bands` postings each, half of the documents new, the others with one bucket hit.
#include "storage/store.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <random>

namespace neardup {
namespace {

struct Load {
  std::uint32_t documents = 30'000;
  std::uint32_t batch = 1024;
  std::uint16_t bands = 17;
  std::uint32_t text_bytes = 0;
};

struct Costs {
  double postings_s = 0;
  double ids_s = 0;
  double documents_s = 0;
  double commit_s = 0;
};

class Stopwatch {
 public:
  explicit Stopwatch(double& sum) : sum_(sum) {}
  ~Stopwatch() {
    sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  double& sum_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// One batch: what is looked up, and what is written afterwards.
struct Batch {
  std::vector<Bucket> buckets;
  std::vector<IdKey> ids;
  std::vector<Seq> candidates;
  WriteSet writes;
};

class BatchMaker {
 public:
  explicit BatchMaker(const Load& load) : load_(load), text_(load.text_bytes, 'x') {}

  Batch next(std::uint32_t documents) {
    Batch batch;
    for (std::uint32_t i = 0; i < documents; ++i) add(++seq_, batch);
    return batch;
  }

 private:
  void add(Seq seq, Batch& batch) {
    const bool kept = seq % 2 == 1;
    IdKey id{"", fmt::format("https://example.org/page/{:016x}", random_())};
    for (std::uint16_t band = 0; band < load_.bands; ++band)
      batch.buckets.push_back({band, random_()});
    if (kept) {
      keep(seq, id, batch);
    } else if (!kept_.empty()) {
      const auto& [original, bucket] = kept_[random_() % kept_.size()];
      batch.buckets.back() = bucket;
      batch.candidates.push_back(original);
    }
    IdRow row;
    row.seq = seq;
    row.kept = kept;
    batch.writes.ids.emplace_back(id, row);
    batch.ids.push_back(std::move(id));
  }

  void keep(Seq seq, const IdKey& id, Batch& batch) {
    DocumentRow row;
    row.seq = seq;
    row.id = id.id;
    for (int i = 0; i < 32; ++i) row.sketch.push_back(random_());
    for (int i = 0; i < 4; ++i) row.one_bit.push_back(random_());
    batch.writes.documents.push_back({std::move(row), text_});
    const std::size_t first = batch.buckets.size() - load_.bands;
    for (std::size_t i = first; i < batch.buckets.size(); ++i) {
      batch.writes.postings.push_back({batch.buckets[i], seq, 0});
    }
    kept_.emplace_back(seq, batch.buckets.back());
  }

  Load load_;
  std::string text_;
  std::mt19937_64 random_{1};
  Seq seq_ = 0;
  std::vector<std::pair<Seq, Bucket>> kept_;
};

Costs measure(Store& store, const Load& load) {
  Costs costs;
  BatchMaker maker(load);
  std::vector<PostingList> lists;
  std::vector<std::optional<IdRow>> ids;
  std::vector<std::optional<DocumentRow>> rows;
  for (std::uint32_t done = 0; done < load.documents; done += load.batch) {
    const Batch batch = maker.next(std::min(load.batch, load.documents - done));
    {
      const Stopwatch stopwatch(costs.ids_s);
      store.ids(batch.ids, ids);
    }
    {
      const Stopwatch stopwatch(costs.postings_s);
      store.postings(batch.buckets, 0, 64, lists);
    }
    {
      const Stopwatch stopwatch(costs.documents_s);
      store.documents(batch.candidates, rows);
    }
    {
      const Stopwatch stopwatch(costs.commit_s);
      store.commit(batch.writes);
    }
  }
  return costs;
}

void print(const char* name, const Load& load, const Costs& costs, bool json) {
  const double documents = load.documents;
  const double total = costs.postings_s + costs.ids_s + costs.documents_s + costs.commit_s;
  const auto us = [documents](double seconds) { return seconds / documents * 1e6; };
  if (json) {
    fmt::print(
        "{{\"store\":\"{}\",\"documents\":{},\"batch\":{},\"bands\":{},\"text_bytes\":{},"
        "\"postings_us\":{:.3f},\"ids_us\":{:.3f},\"documents_us\":{:.3f},\"commit_us\":{:.3f},"
        "\"documents_per_s\":{:.0f}}}\n",
        name, load.documents, load.batch, load.bands, load.text_bytes, us(costs.postings_s),
        us(costs.ids_s), us(costs.documents_s), us(costs.commit_s), documents / total);
  } else {
    fmt::print("{:18} {:10} {:10.2f} {:8.2f} {:12.2f} {:10.2f} {:14.0f}\n", name, load.documents,
               us(costs.postings_s), us(costs.ids_s), us(costs.documents_s), us(costs.commit_s),
               documents / total);
  }
}

struct Subject {
  const char* name;
  StoreName store;
  bool temporary;
};

int run(int argc, char** argv) {
  CLI::App app{"Look-ups and commits of the stores, microseconds per document"};
  Load load;
  bool json = false;
  StorageOptions options;
  options.path = (std::filesystem::temp_directory_path() / "neardup-bench-store").string();
  app.add_option("--documents", load.documents, "documents in all")->capture_default_str();
  app.add_option("--batch", load.batch, "documents in a batch")->capture_default_str();
  app.add_option("--bands", load.bands, "buckets of a document")->capture_default_str();
  app.add_option("--text-bytes", load.text_bytes, "kept text of a document, 0: none");
  app.add_option("--memory", options.memory, "storage.memory in bytes")->capture_default_str();
  app.add_option("--path", options.path, "directory for states; removed")->capture_default_str();
  app.add_flag("--json", json, "one JSON object a row");
  CLI11_PARSE(app, argc, argv);
  options.keep_texts = load.text_bytes > 0;
  if (!json) {
    fmt::print("{:18} {:>10} {:>10} {:>8} {:>12} {:>10} {:>14}\n", "store", "documents", "postings",
               "ids", "documents", "commit", "documents/s");
  }
  for (const Subject& subject : {Subject{"memory", StoreName::kMemory, true},
                                 Subject{"rocksdb temporary", StoreName::kRocksdb, true},
                                 Subject{"rocksdb", StoreName::kRocksdb, false}}) {
    options.store = subject.store;
    options.temporary = subject.temporary;
    destroy_state(options.path);
    print(subject.name, load, measure(*open_store(options, OpenMode::kReadWrite), load), json);
    destroy_state(options.path);
  }
  return 0;
}

}  // namespace
}  // namespace neardup

int main(int argc, char** argv) { return neardup::run(argc, argv); }
