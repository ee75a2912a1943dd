#include "service/kafka/client/client_events.h"

#include <cstdlib>
#include <cstring>
#include <string_view>

namespace neardup {
namespace {

constexpr int kSyslogWarning = 4;  // of syslog.h: lower is more severe
constexpr int kSyslogError = 3;

LogLevel log_level(int level) {
  if (level <= kSyslogError) return LogLevel::kWarning;
  return level <= kSyslogWarning ? LogLevel::kInfo : LogLevel::kDebug;
}

// The HTTP status in librdkafka's line "Failed to retrieve OIDC token from …: … (401)", 0 without
// one; librdkafka writes -1 when the server did not answer.
int status_of(std::string_view text) {
  const std::size_t open = text.rfind('(');
  return open == text.npos ? 0 : std::atoi(text.data() + open + 1);
}

// Only an untrusted certificate is a denial: a connection that breaks during the handshake is an
// SSL error too, but a temporary one.
bool is_untrusted(rd_kafka_resp_err_t error, const char* text) {
  return error == RD_KAFKA_RESP_ERR__SSL &&
         std::strstr(text, "certificate verify failed") != nullptr;
}

}  // namespace

void ClientEvents::listen(rd_kafka_conf_t* conf) {
  rd_kafka_conf_set_opaque(conf, this);
  rd_kafka_conf_set_log_cb(conf, on_log);
  rd_kafka_conf_set_error_cb(conf, on_error);
  rd_kafka_conf_set_dr_msg_cb(conf, on_delivery);
}

void ClientEvents::brokers_up() {
  brokers_down_ = false;
  const MutexLock lock(mutex_);
  denial_.clear();
}

std::string ClientEvents::denial() const {
  const MutexLock lock(mutex_);
  return denial_;
}

void ClientEvents::on_log(const rd_kafka_t* client, int level, const char* facility,
                          const char* text) {
  // Warnings about keys of the other kind of client: both kinds get the same pass-through settings.
  if (std::strcmp(facility, "CONFWARN") == 0) return;
  auto& self = *static_cast<ClientEvents*>(rd_kafka_opaque(client));
  if (std::strcmp(facility, "OIDC") == 0) self.token_status_ = status_of(text);
  const LogField fields[] = {{"facility", facility}, {"detail", text}};
  self.log_.write(log_level(level), "librdkafka", fields);
}

// Is this a temporary failure of the token server, which librdkafka asks again? A status of 0 means
// that it answered, but without a readable token.
bool ClientEvents::is_passing_token_fault(std::string_view text) {
  if (!text.starts_with("Failed to acquire SASL OAUTHBEARER token")) return false;
  const int status = token_status_.exchange(0);
  return status != 0 && (status < 400 || status >= 500);
}

void ClientEvents::on_error(rd_kafka_t*, int code, const char* text, void* opaque) {
  auto& self = *static_cast<ClientEvents*>(opaque);
  const auto error = static_cast<rd_kafka_resp_err_t>(code);
  if (error == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN) self.brokers_down_ = true;
  const bool denied = classify(error) == ErrorClass::kDenied && !self.is_passing_token_fault(text);
  if (denied || is_untrusted(error, text)) {
    const MutexLock lock(self.mutex_);
    self.denial_ = text;
  }
}

void ClientEvents::on_delivery(rd_kafka_t*, const rd_kafka_message_t* message, void* opaque) {
  auto& self = *static_cast<ClientEvents*>(opaque);
  if (message->_private != nullptr) {
    *static_cast<DeliveryReport*>(message->_private) = {message->err, message->partition,
                                                        message->offset};
  } else if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR) {
    ++self.failed_deliveries_;
  }
}

}  // namespace neardup
