// What the loader asks of the Kafka client library that the program is linked with.
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
  virtual SettingAnswer try_setting(const std::string& key, const std::string& value) const = 0;
  // Can it log in by this mechanism here, with the plugins that are installed?
  virtual bool can_log_in_by(std::string_view mechanism) const = 0;
};

}  // namespace neardup
