#include "config/texts.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace neardup {
namespace {

constexpr std::size_t kLongestPointer = 1024;
constexpr std::size_t kLongestPath = 4095;
constexpr std::size_t kLongestName = 128;   // of a map's entry; as for keys of a file
constexpr std::size_t kLongestTopic = 249;  // Kafka's own bound
constexpr std::size_t kLongestHost = 253;   // of DNS

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

bool has_no_nul(std::string_view text) { return text.find('\0') == std::string_view::npos; }

bool is_word_of(std::string_view text, std::size_t longest) {
  return !text.empty() && text.size() <= longest && std::ranges::all_of(text, is_word);
}

bool valid_pointer(std::string_view text) {
  if (!text.starts_with('/') || text.size() > kLongestPointer) return false;
  for (std::size_t i = text.find('~'); i != std::string_view::npos; i = text.find('~', i + 1)) {
    if (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1')) return false;
  }
  return has_no_nul(text);
}

bool valid_path(std::string_view text) { return text.size() <= kLongestPath && has_no_nul(text); }

bool valid_line(std::string_view text, std::size_t longest) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; };
  return text.size() <= longest && std::ranges::none_of(text, control);
}

bool valid_topic(std::string_view text) {
  return is_word_of(text, kLongestTopic) && text != "." && text != "..";
}

bool valid_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size();
}

bool valid_ip(int family, std::string_view text) {
  in6_addr address;
  return has_no_nul(text) && inet_pton(family, std::string(text).c_str(), &address) == 1;
}

bool valid_host(std::string_view text) {
  if (text.starts_with('[')) {
    return text.ends_with(']') && valid_ip(AF_INET6, text.substr(1, text.size() - 2));
  }
  const bool numeric = text.find_first_not_of("0123456789.") == std::string_view::npos;
  return numeric ? valid_ip(AF_INET, text) : is_word_of(text, kLongestHost);
}

bool valid_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  return colon != std::string_view::npos && valid_host(text.substr(0, colon)) &&
         valid_port(text.substr(colon + 1));
}

// As browsers send it, else no page would match.
bool valid_origin(std::string_view text) {
  using Scheme = std::pair<std::string_view, std::string_view>;
  for (const auto& [scheme, usual_port] : {Scheme("http://", ":80"), Scheme("https://", ":443")}) {
    if (!text.starts_with(scheme)) continue;
    const std::string_view host = text.substr(scheme.size());
    const bool lower = std::ranges::none_of(host, [](char c) { return c >= 'A' && c <= 'Z'; });
    return lower && !host.ends_with(usual_port) && (valid_host(host) || valid_address(host));
  }
  return false;
}

}  // namespace

bool valid_text(const Field& field, std::string_view text) {
  switch (field.type) {
    case FieldType::kPointer:
      return valid_pointer(text);
    case FieldType::kPath:
      return valid_path(text);
    case FieldType::kPathMap:
      return !text.empty() && valid_path(text);
    case FieldType::kText:
      return valid_line(text, field.max);
    case FieldType::kTextMap:
      return text.size() <= field.max && has_no_nul(text);
    case FieldType::kTopic:
      return text.empty() || valid_topic(text);
    case FieldType::kTopics:
      return valid_topic(text);
    case FieldType::kWords:
      return std::ranges::find(field.words, text) != field.words.end();
    case FieldType::kHosts:
      return valid_host(text);
    case FieldType::kOrigins:
      return valid_origin(text);
    case FieldType::kAddress:
      return valid_address(text);
    case FieldType::kAddressOrNone:
      return text.empty() || valid_address(text);
    default:
      return false;
  }
}

bool valid_entry_name(std::string_view name) { return is_word_of(name, kLongestName); }

}  // namespace neardup
