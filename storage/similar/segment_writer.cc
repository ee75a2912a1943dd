#include "storage/similar/segment_writer.h"

#include <fmt/core.h>
#include <xxhash.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "pipeline/base/failure.h"
#include "storage/similar/segment_format.h"

namespace neardup {
namespace {

// Takes the bytes of a segment in their order, and the header last.
class Output {
 public:
  virtual ~Output() = default;
  virtual void append(const void* data, std::size_t size) = 0;
  virtual void finish(const SegmentHeader& header) = 0;
};

class FileOutput : public Output {
 public:
  explicit FileOutput(std::string path)
      : path_(std::move(path)), file_(std::fopen(unfinished().c_str(), "wb"), &std::fclose) {
    if (!file_) fail("created");
  }
  ~FileOutput() override {
    std::error_code ignored;
    if (file_) std::filesystem::remove(unfinished(), ignored);
  }
  FileOutput(const FileOutput&) = delete;
  FileOutput& operator=(const FileOutput&) = delete;

  void append(const void* data, std::size_t size) override {
    if (std::fwrite(data, 1, size, file_.get()) != size) fail("written");
  }
  void finish(const SegmentHeader& header) override {
    std::rewind(file_.get());
    append(&header, sizeof header);
    if (std::fflush(file_.get()) != 0) fail("written");
    std::error_code error;
    std::filesystem::rename(unfinished(), path_, error);
    if (error) fail("renamed");
    file_.reset();
  }

 private:
  std::string unfinished() const { return path_ + ".tmp"; }
  [[noreturn]] void fail(const char* what) const {
    throw Failure(Exit::kIo, fmt::format("{} cannot be {}: {}", path_, what, std::strerror(errno)));
  }

  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

class MemoryOutput : public Output {
 public:
  explicit MemoryOutput(std::uint64_t size)
      : words_(std::make_shared<std::vector<std::uint64_t>>((size + 7) / 8)), size_(size) {}

  void append(const void* data, std::size_t size) override {
    std::memcpy(begin() + at_, data, size);
    at_ += size;
  }
  void finish(const SegmentHeader& header) override {
    at_ = 0;
    append(&header, sizeof header);
  }
  SegmentBytes bytes() { return {words_, {begin(), size_}}; }

 private:
  std::byte* begin() { return reinterpret_cast<std::byte*>(words_->data()); }

  std::shared_ptr<std::vector<std::uint64_t>> words_;
  std::uint64_t size_;
  std::uint64_t at_ = 0;
};

class Writer {
 public:
  Writer(const SegmentHeader& header, Output& output)
      : header_(header), output_(output), checksum_(XXH3_createState(), &XXH3_freeState) {
    output_.append(&header_, sizeof header_);
    XXH3_64bits_reset(checksum_.get());
    const auto* bytes = reinterpret_cast<const std::byte*>(&header_);
    const std::size_t from = offsetof(SegmentHeader, identity);
    XXH3_64bits_update(checksum_.get(), bytes + from, sizeof header_ - from);
    at_ = sizeof header_;
  }

  template <class Number>
  void put(std::span<const Number> numbers) {
    if (numbers.empty()) return;  // no pointer to copy from
    output_.append(numbers.data(), numbers.size_bytes());
    XXH3_64bits_update(checksum_.get(), numbers.data(), numbers.size_bytes());
    at_ += numbers.size_bytes();
  }
  void pad_to(std::uint64_t offset) {
    const std::vector<char> zeros(offset - at_);
    put(std::span<const char>(zeros));
  }
  void finish() {
    header_.checksum = XXH3_64bits_digest(checksum_.get());
    output_.finish(header_);
  }

 private:
  SegmentHeader header_;
  Output& output_;
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> checksum_;
  std::uint64_t at_ = 0;
};

SegmentHeader header_of(const SegmentRange& range, std::span<const Seq> seqs) {
  SegmentHeader header;
  header.identity = range.kind.identity;
  header.first = range.first;
  header.end = range.end;
  header.documents = static_cast<std::uint32_t>(seqs.size());
  header.keywords = range.kind.keywords;
  header.source = range.kind.source;
  return header;
}

std::vector<std::uint32_t> block_ends(Seq first, std::uint64_t blocks, std::span<const Seq> seqs) {
  std::vector<std::uint32_t> ends(blocks);
  for (const Seq seq : seqs) ++ends[seq / Segment::kBlockSeqs - first / Segment::kBlockSeqs];
  for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
  return ends;
}

void write(const SegmentHeader& header, std::span<const Seq> seqs, const FillColumn& fill,
           Output& output) {
  const SegmentLayout layout = segment_layout(header);
  Writer writer(header, output);
  const auto ends = block_ends(header.first, layout.blocks, seqs);
  writer.put(std::span<const std::uint32_t>(ends));
  writer.pad_to(layout.low_bits);
  std::vector<std::uint16_t> low_bits;
  low_bits.reserve(seqs.size());
  for (const Seq seq : seqs) low_bits.push_back(static_cast<std::uint16_t>(seq));
  writer.put(std::span<const std::uint16_t>(low_bits));
  writer.pad_to(layout.columns);
  std::vector<std::uint32_t> column(kKeywordValues + 1 + seqs.size());
  const std::span<std::uint32_t> numbers(column);
  for (std::uint32_t position = 0; position < header.keywords; ++position) {
    fill(position, numbers.first(kKeywordValues + 1), numbers.subspan(kKeywordValues + 1));
    writer.put(std::span<const std::uint32_t>(column));
  }
  writer.finish();
}

// From how often each value occurs, stored one place further, to where its places begin.
void add_up(std::span<std::uint32_t> starts) {
  for (std::size_t value = 1; value < starts.size(); ++value) starts[value] += starts[value - 1];
}

}  // namespace

void write_segment(const std::string& path, const SegmentRange& range, std::span<const Seq> seqs,
                   const FillColumn& fill) {
  FileOutput output(path);
  write(header_of(range, seqs), seqs, fill, output);
}

SegmentBytes make_segment(const SegmentRange& range, std::span<const Seq> seqs,
                          const FillColumn& fill) {
  const SegmentHeader header = header_of(range, seqs);
  MemoryOutput output(segment_layout(header).size);
  write(header, seqs, fill, output);
  return output.bytes();
}

FillColumn column_of_values(
    std::function<std::span<const std::uint16_t>(std::uint32_t position)> values) {
  return [values = std::move(values)](std::uint32_t position, std::span<std::uint32_t> starts,
                                      std::span<std::uint32_t> places) {
    const std::span<const std::uint16_t> column = values(position);
    std::fill(starts.begin(), starts.end(), 0);
    for (const std::uint16_t value : column) ++starts[value + 1u];
    add_up(starts);
    std::vector<std::uint32_t> next(starts.begin(), starts.end());
    for (std::uint32_t place = 0; place < places.size(); ++place) {
      places[next[column[place]]++] = place;
    }
  };
}

FillColumn column_of_segments(std::span<const std::shared_ptr<const Segment>> sources,
                              std::span<const std::vector<std::uint32_t>> places) {
  return [=](std::uint32_t position, std::span<std::uint32_t> starts,
             std::span<std::uint32_t> merged) {
    std::uint32_t filled = 0;
    for (std::uint32_t value = 0; value < kKeywordValues; ++value) {
      starts[value] = filled;
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const KeywordPostings& postings = sources[i]->postings();
        const std::uint32_t* range = postings.starts(position) + value;
        const std::uint32_t* list = postings.places(position);
        for (std::uint32_t at = range[0]; at < range[1]; ++at) {
          const std::uint32_t place = places[i][list[at]];
          if (place != kDropped) merged[filled++] = place;
        }
      }
    }
    starts[kKeywordValues] = filled;
  };
}

}  // namespace neardup
