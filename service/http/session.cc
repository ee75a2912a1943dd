#include "service/http/session.h"

#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <iterator>
#include <utility>

#include "service/http/message/problem.h"

namespace neardup {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using std::chrono::seconds;

constexpr std::uint64_t kMaxBodyBytes = std::uint64_t{4} << 20;
// Of all such bodies together that need no token; those with one may take as much again.
constexpr std::size_t kMostBodyBytes = std::size_t{64} << 20;
// A body or an answer may take as long as a head, plus one second for this many bytes of it.
constexpr std::size_t kLeastBytesPerSecond = std::size_t{64} << 10;
// A client that is still sending when it is refused would lose the answer if the socket were
// closed at once (RFC 9112, section 9.6).
constexpr seconds kLinger{2};
constexpr std::size_t kMostDiscarded = std::size_t{16} << 20;

constexpr std::size_t kWrittenAtOnce = std::size_t{64} << 10;

std::chrono::milliseconds time_for(std::size_t bytes) {
  return std::chrono::milliseconds(bytes * 1000 / kLeastBytesPerSecond);
}

HttpAnswer answer_of(const HttpTurn& turn, std::string body) {
  try {
    return turn.answer(std::move(body));
  } catch (const std::exception& error) {
    return problem(500, "failed", error.what());
  }
}

}  // namespace

HttpSession::HttpSession(tcp::socket socket, std::string client, HttpPort& port)
    : Connection(std::move(client)),
      stream_(std::move(socket)),
      deadline_(stream_.socket().get_executor()),
      port_(port),
      reader_(port.options.max_head, kMaxBodyBytes) {}

void HttpSession::start(asio::ssl::context* tls) {
  port_.counts.open = port_.connections.open();
  if (tls != nullptr) return shake_hands(*tls);
  await_head();
  read();
}

void HttpSession::shake_hands(asio::ssl::context& tls) {
  wait_for_client(Phase::kHandshake, seconds(port_.options.head_seconds));
  stream_.accept_tls(tls, [self = shared_from_this()](const Error& error) {
    if (self->phase_ != Phase::kHandshake) return;
    if (self->stream_.speaks_plain_http(error))
      return self->answer(problem(400, "tls_is_needed", "this port requires TLS: use https://"));
    if (error) return self->linger();  // the client reads why
    self->await_head();
    self->read();
  });
}

void HttpSession::await_head() {
  wait_for_client(Phase::kHead, seconds(port_.options.head_seconds));
}

void HttpSession::drain() {
  if (phase_ != Phase::kAnswering && phase_ != Phase::kWriting) close();
}

void HttpSession::wait_for_client(Phase phase, Time::duration timeout) {
  phase_ = phase;
  phase_began_ = std::chrono::steady_clock::now();
  set_waiting(phase_began_);
  set_deadline(phase_began_ + timeout);
}

void HttpSession::set_deadline(Time at) {
  deadline_.expires_at(at);
  deadline_.async_wait([self = shared_from_this()](const Error& error) {
    // A deadline that was extended while this handler was queued has not passed.
    if (!error && self->deadline_.expiry() <= std::chrono::steady_clock::now()) self->too_late();
  });
}

void HttpSession::too_late() {
  if (phase_ == Phase::kFeeding) {
    out_body_ = out_feed_->idle();
    return write_out();
  }
  if (phase_ >= Phase::kPaused && phase_ != Phase::kWriting && phase_ != Phase::kLingering) return;
  if (begun() || phase_ == Phase::kWriting) ++port_.counts.time;
  if (!begun() || phase_ == Phase::kHandshake) return close();
  stream_.cancel();
  keep_alive_ = false;
  answer(problem(408, "too_slow", "the request did not arrive in time"));
}

// Has the client begun to send what is awaited?
bool HttpSession::begun() const {
  if (phase_ == Phase::kHandshake) return stream_.handshake_begun();
  return phase_ == Phase::kBody || (phase_ == Phase::kHead && reader_.has_bytes());
}

void HttpSession::read() {
  const auto space = reader_.space();
  stream_.read_some(asio::buffer(space.data(), space.size()),
                    [self = shared_from_this()](const Error& error, std::size_t bytes) {
                      self->received(error, bytes);
                    });
}

void HttpSession::received(const Error& error, std::size_t bytes) {
  if (!reading()) return;
  if (error) return close();  // also where the client has closed its side before the end
  reader_.received(bytes);
  if (phase_ == Phase::kIdle) await_head();
  if (phase_ == Phase::kBody) {
    body_bytes_ += bytes;
    set_deadline(body_deadline());
    if (!turn_.upload && !hold_body(bytes)) {
      ++port_.counts.bodies;
      keep_alive_ = false;
      return answer(problem(503, "busy", "too many bodies are being received: retry later"));
    }
  }
  read_on();
}

void HttpSession::read_on() {
  const Progress progress = phase_ == Phase::kHead ? reader_.read_head() : reader_.read_body();
  if (progress == Progress::kRefused) return refuse();
  if (phase_ == Phase::kBody && turn_.upload && !upload(progress)) return;
  if (progress == Progress::kMore) return read();
  if (phase_ == Phase::kHead) return dispatch();
  handle();
}

// A body with a token may come as slowly as its documents are made.
HttpSession::Time HttpSession::body_deadline() const {
  if (turn_.upload) return std::chrono::steady_clock::now() + seconds(port_.options.idle_seconds);
  return phase_began_ + seconds(port_.options.head_seconds) + time_for(body_bytes_);
}

// False: the bodies of other requests take all the memory that there is for them.
bool HttpSession::hold_body(std::size_t bytes) {
  const bool known = turn_.caller != HttpCaller::kAnybody;
  if (port_.body_bytes + bytes > (known ? 2 * kMostBodyBytes : kMostBodyBytes)) return false;
  port_.body_bytes += bytes;
  held_bytes_ += bytes;
  return true;
}

void HttpSession::release_body() { port_.body_bytes -= std::exchange(held_bytes_, 0); }

// False: nothing more is read for now.
bool HttpSession::upload(Progress progress) {
  std::string bytes = reader_.take_body();
  if (bytes.empty()) return true;
  const auto resumed = [self = shared_from_this(),
                        guard = asio::make_work_guard(stream_.socket().get_executor())] {
    asio::post(guard.get_executor(), [self] { self->resume(); });
  };
  switch (turn_.upload->take(std::move(bytes), resumed)) {
    case HttpUpload::Taken::kMore:
      return true;
    case HttpUpload::Taken::kRefused:
      keep_alive_ = false;
      answer(turn_.upload->refusal());
      return false;
    case HttpUpload::Taken::kWait:
      break;
  }
  phase_ = Phase::kPaused;
  body_done_ = progress == Progress::kDone;
  set_waiting({});
  deadline_.cancel();
  return false;
}

void HttpSession::resume() {
  if (phase_ != Phase::kPaused) return;
  if (body_done_) return handle();
  wait_for_client(Phase::kBody, seconds(port_.options.idle_seconds));
  read_on();
}

void HttpSession::refuse() {
  const int status = reader_.refusal().status;
  if (status == 413 || status == 431) ++port_.counts.size;
  keep_alive_ = false;
  answer(reader_.refusal());
}

void HttpSession::dispatch() {
  const RequestHead& head = reader_.head();
  turn_ = port_.router.turn(head);
  set_shown(turn_.caller == HttpCaller::kAnybody ? Shown::kHead : Shown::kToken);
  const bool reads_body = !turn_.refusal && turn_.takes_body;
  keep_alive_ = head.keep_alive && (reads_body || !head.has_body);
  head_only_ = head.method == "HEAD";
  if (turn_.refusal) return answer(std::move(*turn_.refusal));
  if (!reads_body) return handle();
  if (turn_.upload) reader_.allow_any_body();
  read_body();
}

void HttpSession::read_body() {
  body_bytes_ = 0;
  wait_for_client(Phase::kBody, seconds(port_.options.head_seconds));
  if (!reader_.head().expects_continue || reader_.has_bytes()) return read_on();
  stream_.write({asio::buffer(kHttpContinue)}, [self = shared_from_this()](const Error& error) {
    if (self->phase_ != Phase::kBody) return;
    if (error) return self->close();
    self->read_on();
  });
}

void HttpSession::handle() {
  phase_ = Phase::kAnswering;
  set_waiting({});
  deadline_.cancel();
  if (turn_.upload) return end_upload();
  std::string body = turn_.takes_body ? reader_.take_body() : std::string();
  if (turn_.thread == HttpThread::kPort) return answer(answer_of(turn_, std::move(body)));
  HttpWorkers& workers = turn_.thread == HttpThread::kScrape ? port_.scrapes : port_.control;
  // The guard keeps the port's thread running while it waits for nothing but this answer.
  const bool taken =
      workers.submit([self = shared_from_this(), body = std::move(body),
                      guard = asio::make_work_guard(stream_.socket().get_executor())]() mutable {
        HttpAnswer result = answer_of(self->turn_, std::move(body));
        asio::post(guard.get_executor(), [self, result = std::move(result)]() mutable {
          self->answer(std::move(result));
        });
      });
  if (taken && turn_.left) return watch_client();
  if (!taken) answer(problem(503, "busy", "too many requests are queued: retry later"));
}

// Until the answer, nothing is read; a client that closes its side, as by leaving, makes the socket
// readable.
void HttpSession::watch_client() {
  watching_ = true;
  stream_.socket().async_wait(tcp::socket::wait_read,
                              [self = shared_from_this()](const Error& error) {
                                if (!error && self->phase_ == Phase::kAnswering)
                                  self->client_may_have_left();
                              });
}

void HttpSession::client_may_have_left() {
  char byte = 0;
  const ssize_t count = ::recv(stream_.socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (count <= 0) *turn_.left = true;  // else it sends its next request already
}

void HttpSession::end_upload() {
  const auto upload = std::exchange(turn_.upload, nullptr);
  // The guard as in `handle`.
  upload->end([self = shared_from_this(),
               guard = asio::make_work_guard(stream_.socket().get_executor())](HttpAnswer answer) {
    asio::post(guard.get_executor(),
               [self, answer = std::move(answer)]() mutable { self->answer(std::move(answer)); });
  });
}

void HttpSession::answer(HttpAnswer answer) {
  if (phase_ == Phase::kClosed) return;
  if (turn_.upload) turn_.upload->abandon();
  turn_.upload.reset();
  if (std::exchange(watching_, false)) stream_.cancel();
  turn_.answer = nullptr;  // and the body that it holds
  release_body();
  std::ranges::move(std::exchange(turn_.fields, {}), std::back_inserter(answer.fields));
  keep_alive_ = keep_alive_ && !port_.draining && !answer.feed;
  out_head_ = answer_head(answer, keep_alive_);
  out_body_ = head_only_ ? std::string() : std::move(answer.body);
  out_rest_ = head_only_ ? nullptr : std::move(answer.rest);
  rest_written_ = 0;
  out_feed_ = head_only_ ? nullptr : std::move(answer.feed);
  if (out_feed_) feed_head_ = reader_.head();
  head_only_ = false;
  reader_.next_request();  // releases the head while the client takes the answer
  wait_for_client(Phase::kWriting,
                  seconds(port_.options.head_seconds) + time_for(out_body_.size()));
  stream_.write({asio::buffer(out_head_), asio::buffer(out_body_)},
                [self = shared_from_this()](const Error& error) { self->written(error); });
}

void HttpSession::written(const Error& error) {
  if (phase_ != Phase::kWriting) return;
  if (error) return close();
  if (out_rest_) return write_rest();
  if (port_.draining) return close();
  if (out_feed_) return write_feed();
  out_body_ = {};
  if (keep_alive_) return next_request();
  linger();
}

void HttpSession::write_out() {
  wait_for_client(Phase::kWriting,
                  seconds(port_.options.head_seconds) + time_for(out_body_.size()));
  stream_.write({asio::buffer(out_body_)},
                [self = shared_from_this()](const Error& error) { self->written(error); });
}

void HttpSession::write_rest() {
  const std::uint64_t left = out_rest_->size() - rest_written_;
  out_body_.resize(std::min<std::uint64_t>(left, kWrittenAtOnce));
  if (!out_rest_->read(rest_written_, out_body_)) return close();
  rest_written_ += out_body_.size();
  if (rest_written_ == out_rest_->size()) out_rest_.reset();
  write_out();
}

void HttpSession::write_feed() {
  // The token may have been taken back since the last part.
  if (port_.router.turn(feed_head_).refusal) return close();
  out_body_ =
      out_feed_->next([weak = weak_from_this(), executor = stream_.socket().get_executor()] {
        asio::post(executor, [weak] {
          const auto self = weak.lock();
          if (self && self->phase_ == Phase::kFeeding) self->write_feed();
        });
      });
  if (!out_body_.empty()) return write_out();
  wait_for_client(Phase::kFeeding, out_feed_->idle_time());
}

void HttpSession::next_request() {
  if (reader_.has_bytes()) {
    await_head();
    return read_on();
  }
  wait_for_client(Phase::kIdle, seconds(port_.options.idle_seconds));
  read();
}

void HttpSession::linger() {
  wait_for_client(Phase::kLingering, kLinger);
  stream_.end_sending([self = shared_from_this()](const Error& error) {
    if (self->phase_ != Phase::kLingering) return;
    if (error) return self->close();
    self->discard(kMostDiscarded);
  });
}

void HttpSession::discard(std::size_t left) {
  stream_.read_some(asio::buffer(port_.discarded),
                    [self = shared_from_this(), left](const Error& error, std::size_t bytes) {
                      if (self->phase_ != Phase::kLingering) return;
                      if (error || bytes >= left) return self->close();
                      self->discard(left - bytes);
                    });
}

void HttpSession::close() {
  if (phase_ == Phase::kClosed) return;
  phase_ = Phase::kClosed;
  if (turn_.upload) turn_.upload->abandon();
  turn_.upload.reset();
  if (turn_.left) *turn_.left = true;
  release_body();
  out_feed_.reset();
  deadline_.cancel();
  stream_.close();
  port_.connections.leave(*this);
  port_.counts.open = port_.connections.open();
}

}  // namespace neardup
