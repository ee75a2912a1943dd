#include "pipeline/batch_reporter.h"

namespace neardup {
namespace {

double seconds_of(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

bool is_duplicate(Status status) {
  return status == Status::kExactDuplicate || status == Status::kNearDuplicate;
}

}  // namespace

void count_flag(const Flag& flag, std::uint32_t text_bytes, StoredBatchReport& report) {
  const auto status = static_cast<std::size_t>(flag.status);
  ++report.documents[status];
  report.text_bytes[status] += text_bytes;
  ++report.batch_documents;
  if (is_duplicate(flag.status)) ++report.batch_duplicates;
  if (flag.status != Status::kNearDuplicate) return;
  report.similarities.add(static_cast<double>(flag.original->similarity) / kOne);
}

void begin_batch(StoredBatchReport& report) {
  report.batch_documents = 0;
  report.batch_duplicates = 0;
  report.notices = {};
  report.similarities.clear();
}

BatchReporter::BatchReporter(PipelineProbe& probe, Resolver& resolver, const Backend& backend)
    : probe_(probe), resolver_(resolver), backend_(backend) {
  probe_.state_stands(resolver.next_seq() - 1, resolver.stream_time_ms());
}

void BatchReporter::chunk_decided(const Chunk& chunk, std::span<const Flag> flags) {
  for (std::size_t i = 0; i < flags.size(); ++i) {
    count_flag(flags[i], chunk.sketched.text_bytes[i], report_);
  }
  count_notices(chunk.sketched.records, report_.notices);
  report_.input_bytes += chunk.sketched.input_bytes;
  prepared_.decode += chunk.times.decode;
  prepared_.normalise += chunk.times.normalise;
  prepared_.sketch += chunk.times.sketch;
}

void BatchReporter::take_totals() {
  report_.postings = resolver_.postings();
  report_.caps_hit = resolver_.caps_hit();
  report_.time_steps_cut = resolver_.time_steps_cut();
  report_.candidates = {resolver_.filter_counts().candidates, resolver_.filter_counts().passed,
                        resolver_.verify_counts().passed_estimate, resolver_.verify_counts().named,
                        resolver_.verify_counts().confirmed};
  const BucketSizes sizes = resolver_.take_bucket_sizes();
  report_.bucket_sizes = sizes.by_width;
  report_.bucket_postings = sizes.sum;
}

void BatchReporter::take_times() {
  const ResolveTimes resolved = resolver_.times();
  const BackendTimes device = backend_.report().times;
  const double transferred = device.copy_in_seconds + device.copy_out_seconds;
  seconds(BatchStage::kDecode) = seconds_of(prepared_.decode);
  seconds(BatchStage::kNormalise) = seconds_of(prepared_.normalise);
  seconds(BatchStage::kTransfer) = transferred - transferred_seconds_;
  seconds(BatchStage::kSketch) = seconds_of(prepared_.sketch);
  seconds(BatchStage::kLookUp) = seconds_of(resolved.lookup - resolved_.lookup);
  seconds(BatchStage::kFilter) = seconds_of(resolved.filter - resolved_.filter);
  seconds(BatchStage::kVerify) = seconds_of(resolved.verify - resolved_.verify);
  resolved_ = resolved;
  transferred_seconds_ = transferred;
  prepared_ = {};
}

void BatchReporter::batch_decided() {
  take_totals();
  take_times();
  decided_ = report_;
  last_seq_ = resolver_.next_seq() - 1;
  stream_time_ms_ = resolver_.stream_time_ms();
  begin_batch(report_);
}

void BatchReporter::batch_stored(std::chrono::nanoseconds write) {
  decided_.seconds[static_cast<std::size_t>(BatchStage::kWrite)] = seconds_of(write);
  probe_.batch_stored(decided_);
  probe_.state_stands(last_seq_, stream_time_ms_);
}

}  // namespace neardup
