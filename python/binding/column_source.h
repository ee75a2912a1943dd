// Columns as the pipeline's source, and their decoder: the same decisions as about records of JSON
// with these fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/service_options.h"
#include "pipeline/ports.h"
#include "pipeline/rule/options.h"
#include "python/binding/columns.h"

namespace neardup {

class ColumnSource : public Source {
 public:
  // Without ids, that of row i is first_seq + i, in digits. `columns` must outlive this.
  ColumnSource(const Columns& columns, std::uint64_t first_seq)
      : columns_(columns), first_seq_(first_seq) {}

  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override;
  // None: the state of a run over files does not know of these texts.
  std::vector<std::pair<std::string, std::string>> positions() override { return {}; }

 private:
  const Columns& columns_;
  const std::uint64_t first_seq_;
  std::size_t row_ = 0;
};

class ColumnDecoder : public Decoder {
 public:
  ColumnDecoder(const InputOptions& input, const TextOptions& text)
      : input_(input), options_(text) {}

  Record decode(const RawRecord& raw, std::string_view& text) override;

 private:
  InputOptions input_;
  TextOptions options_;
  std::string cleaned_;
};

}  // namespace neardup
