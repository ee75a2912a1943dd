#include "service/ingest/http_delivery.h"

#include <algorithm>
#include <utility>

#include "service/failpoint.h"

namespace neardup {

SourceFormat body_sources() {
  return [](const SourcePosition& source, std::string& out) {
    out.append(R"({"line":)").append(std::to_string(source.place)).push_back('}');
  };
}

void HttpDelivery::add(const RawChunk& chunk, std::vector<Flag>& flags) {
  if (file_ != nullptr) file_->add(chunk, flags);
  for (const Flag& flag : flags) {
    Part& part = part_of(flag.source.input);
    const auto status = static_cast<std::size_t>(flag.status);
    line_.clear();
    writer_.append(flag, line_);
    if (part.only[status]) part.lines += line_;
    ++part.counts[status];
    if (recent_ != nullptr) blocks_.add(flag, line_);
  }
}

// Neighbours are mostly of one request, and few requests share a batch.
HttpDelivery::Part& HttpDelivery::part_of(std::uint32_t request) {
  const auto found = std::find_if(parts_.rbegin(), parts_.rend(),
                                  [&](const Part& part) { return part.request == request; });
  if (found != parts_.rend()) return *found;
  Part& part = parts_.emplace_back();
  part.request = request;
  if (const auto open = requests_.find(request)) part.only = open->form().only;
  return part;
}

void HttpDelivery::before_commit(WriteSet& writes) {
  failpoint("before_flags_file");
  if (file_ != nullptr) file_->before_commit(writes);
  end_batch();
  failpoint("before_store");
}

void HttpDelivery::end_batch() {
  committed_ = std::exchange(parts_, {});
  committed_blocks_ = blocks_.take();
}

void HttpDelivery::after_commit() {
  failpoint("after_store");
  for (const Part& part : std::exchange(committed_, {})) {
    const auto request = requests_.find(part.request);
    if (request && request->committed(part.lines, part.counts)) requests_.remove(part.request);
  }
  if (recent_ != nullptr) recent_->publish(std::move(committed_blocks_));
  failpoint("after_answers");
}

}  // namespace neardup
