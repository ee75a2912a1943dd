// A request of documents: its records on their way in, its flags on their way out; and those whose
// records are being decided, by the number that their records carry.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pipeline/base/mutex.h"
#include "pipeline/model/flag.h"
#include "service/http/route.h"
#include "service/http/spool.h"
#include "service/ingest/body_reader.h"
#include "service/records/status_set.h"
#include "storage/store.h"

namespace neardup {

// The options in the head of a request.
struct RequestForm {
  BodyForm body = BodyForm::kLines;
  BodyCoding coding = BodyCoding::kNone;
  IdKey key = {};                              // of a body that is a text
  StatusSet only = StatusSet().set();          // the statuses of flags in the answer
  std::uint64_t most_bytes = Spool::kAnySize;  // of the answer
  // Of a service that reads Kafka: the answer has the positions of the records in their topic, or
  // their flags if these come within `wait`.
  bool positions = false;
  std::chrono::seconds wait{0};
};

// Answers when the body has ended and the flags of all its records are committed, or all its
// records are written to their topic.
class DocumentRequest {
 public:
  // `number`: of its records (OpenRequests). The flags take room of `budget` until the client
  // takes them.
  DocumentRequest(std::uint32_t number, RequestForm form, std::uint64_t max_record_bytes,
                  SpoolBudget& budget)
      : number_(number),
        form_(std::move(form)),
        body_(form_.coding),
        lines_(form_.body, max_record_bytes),
        spool_(std::make_shared<Spool>(budget, form_.most_bytes)),
        waits_(form_.wait.count() > 0) {}
  DocumentRequest(const DocumentRequest&) = delete;
  DocumentRequest& operator=(const DocumentRequest&) = delete;

  std::uint32_t number() const { return number_; }
  const RequestForm& form() const { return form_; }

  // The reader's thread: what decodes the body, and takes the records from its text; it has given
  // one, or all of them.
  BodyDecoder& body() { return body_; }
  RecordLines& lines() { return lines_; }
  void record_taken() { ++taken_; }
  // True: all of them are committed.
  bool all_taken();

  // The rest of the body is of no use: when the records before it are committed, the answer is this
  // one. The first such answer counts.
  void spoil(HttpAnswer answer);

  // The flags of so many records are committed. True: those of all of them.
  bool committed(std::string_view flags, const StatusCounts& counts);

  // The positions of so many more records. True: those of all of them, and no flag is awaited.
  bool written(std::string_view positions, std::uint64_t records);
  // Whether the answer waits for flags.
  bool waits() const;
  // The flag of the next record is awaited; its number. Nothing: the request does not wait, or no
  // longer, since it has more than 1 000 records.
  std::optional<std::size_t> await_flag();
  // Takes the place of the flag of the next record in the answer.
  void skip_flag(std::string line);
  // A flag that was awaited. True: it was the last one.
  bool flagged(std::size_t number, std::string line, Status status);
  // The answer has positions. True: there are those of all records.
  bool wait_no_longer();

  // Any thread. `done` is called with the answer, unless the request is abandoned.
  void wait(HttpUpload::Done done);
  void abandon();
  // Answers with `answer` instead.
  void fail(HttpAnswer answer);

 private:
  void keep(std::string_view lines, std::uint64_t records, std::string_view then) REQUIRES(mutex_);
  std::optional<std::size_t> add_flag(std::string line) REQUIRES(mutex_);
  void give_up(HttpAnswer answer) REQUIRES(mutex_);
  bool answer_if_complete() REQUIRES(mutex_);
  HttpAnswer complete_answer() const REQUIRES(mutex_);

  const std::uint32_t number_;
  const RequestForm form_;
  BodyDecoder body_;
  RecordLines lines_;
  std::uint64_t taken_ = 0;
  mutable Mutex mutex_;
  std::shared_ptr<Spool> spool_ GUARDED_BY(mutex_);  // null: there is a failure_
  StatusCounts counts_ GUARDED_BY(mutex_) = {};
  std::uint64_t committed_ GUARDED_BY(mutex_) = 0;
  std::optional<std::uint64_t> all_ GUARDED_BY(mutex_);  // records; nothing: more may come
  std::vector<std::string> flags_ GUARDED_BY(mutex_);    // of records in a topic, if it waits
  std::size_t awaited_ GUARDED_BY(mutex_) = 0;           // of flags_
  bool waits_ GUARDED_BY(mutex_);
  std::optional<HttpAnswer> failure_ GUARDED_BY(mutex_);
  HttpUpload::Done done_ GUARDED_BY(mutex_);  // empty: not waiting, or answered
};

// Every call may come from any thread.
class OpenRequests {
 public:
  // A request with a number that no open one has.
  std::shared_ptr<DocumentRequest> open(const RequestForm& form, std::uint64_t max_record_bytes,
                                        SpoolBudget& budget);
  // Null: there is none.
  std::shared_ptr<DocumentRequest> find(std::uint32_t number) const;
  void remove(std::uint32_t number);
  std::size_t size() const;

  // Answers all of them with `answer`.
  void fail(const HttpAnswer& answer);

 private:
  mutable Mutex mutex_;
  std::unordered_map<std::uint32_t, std::shared_ptr<DocumentRequest>> requests_ GUARDED_BY(mutex_);
  std::uint32_t next_ GUARDED_BY(mutex_) = 0;
};

}  // namespace neardup
