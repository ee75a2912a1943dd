// The interface to the linked Kafka client library, for the checks of the configuration.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

enum class SettingAnswer : std::uint8_t { kTaken, kUnknownKey, kWrongValue };

class KafkaClientLibrary {
 public:
  virtual ~KafkaClientLibrary() = default;

  // All keys that the library knows, in any order.
  virtual std::vector<std::string> keys() const = 0;
  // Whether the library knows the key and accepts the value.
  virtual SettingAnswer try_setting(const std::string& key, const std::string& value) const = 0;
  // Whether the library can log in with this SASL mechanism and the installed plugins.
  virtual bool can_log_in_by(std::string_view mechanism) const = 0;
};

}  // namespace neardup
