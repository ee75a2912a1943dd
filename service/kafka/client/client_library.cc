#include "service/kafka/client/client_library.h"

#include <sasl/sasl.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "service/kafka/client/handles.h"

namespace neardup {
namespace {

// librdkafka's table of all its keys; its other list omits keys without a default.
std::string table_of_keys() {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* file = open_memstream(&text, &size);
  if (file == nullptr) return {};
  rd_kafka_conf_properties_show(file);
  std::fclose(file);
  std::string table(text, size);
  std::free(text);
  return table;
}

// Kerberos needs a plugin of Cyrus SASL. Without it librdkafka retries the login forever.
bool has_plugin(std::string_view mechanism) {
  if (sasl_client_init(nullptr) != SASL_OK) return false;
  const char** found = sasl_global_listmech();
  for (; found != nullptr && *found != nullptr; ++found) {
    if (mechanism == *found) return true;
  }
  return false;
}

class ClientLibrary : public KafkaClientLibrary {
 public:
  std::vector<std::string> keys() const override {
    std::vector<std::string> keys;
    std::istringstream table(table_of_keys());
    for (std::string line; std::getline(table, line);) {
      // A row is "key   | who uses it | …".
      const std::size_t end = line.find(' ');
      if (line.find('|') != line.npos && end != 0) keys.push_back(line.substr(0, end));
    }
    return keys;
  }

  SettingAnswer try_setting(const std::string& key, const std::string& value) const override {
    const KafkaConf conf(rd_kafka_conf_new());
    switch (rd_kafka_conf_set(conf.get(), key.c_str(), value.c_str(), nullptr, 0)) {
      case RD_KAFKA_CONF_UNKNOWN:
        return SettingAnswer::kUnknownKey;
      case RD_KAFKA_CONF_INVALID:
        return SettingAnswer::kWrongValue;
      default:
        return SettingAnswer::kTaken;
    }
  }

  bool can_log_in_by(std::string_view mechanism) const override { return has_plugin(mechanism); }
};

}  // namespace

std::unique_ptr<KafkaClientLibrary> make_client_library() {
  return std::make_unique<ClientLibrary>();
}

}  // namespace neardup
