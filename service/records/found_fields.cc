#include "service/records/found_fields.h"

#include <algorithm>
#include <array>

#include "fmt/format.h"
#include "simdjson.h"

namespace neardup {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

constexpr std::string_view kUsualId = "/id", kUsualText = "/text", kNoId = "-";
// C4, FineWeb, RedPajama, Dolma, OSCAR, Wikipedia, HPLT and dumps of MongoDB.
constexpr std::array kIdFields{kUsualId, std::string_view("/_id"), std::string_view("/url"),
                               std::string_view("/doc_id"),
                               std::string_view("/warc_headers/warc-record-id")};
constexpr std::array kTextFields{kUsualText, std::string_view("/content"),
                                 std::string_view("/raw_content"), std::string_view("/body")};
constexpr std::span kOtherTexts = std::span(kTextFields).subspan<1>();

bool has_string(element record, std::string_view pointer) {
  const auto found = record.at_pointer(pointer);
  return !found.error() && found.value_unsafe().is_string();
}

bool has_id(element record, std::string_view pointer) {
  const auto found = record.at_pointer(pointer);
  if (found.error()) return false;
  const element_type type = found.value_unsafe().type();
  return type == element_type::STRING || type == element_type::INT64 ||
         type == element_type::UINT64 || type == element_type::DOUBLE;
}

std::string_view text_in(element record) {
  if (has_string(record, kUsualText)) return kUsualText;
  const auto has = [&](std::string_view pointer) { return has_string(record, pointer); };
  const auto found = std::ranges::find_if(kOtherTexts, has);
  return std::ranges::count_if(kOtherTexts, has) == 1 ? *found : kUsualText;
}

std::string_view id_in(element record) {
  const auto found = std::ranges::find_if(
      kIdFields, [&](std::string_view pointer) { return has_id(record, pointer); });
  return found == kIdFields.end() ? std::string_view() : *found;
}

}  // namespace

std::optional<FoundFields> find_fields(std::string_view json) {
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(json);
  element record;
  if (parser.parse(padded).get(record) || !record.is_object()) return {};
  FoundFields fields{.id = std::string(id_in(record)), .text = std::string(text_in(record))};
  fields.usual = has_string(record, kUsualId) && fields.text == kUsualText;
  return fields;
}

std::span<const std::string_view> id_pointers() { return kIdFields; }
std::span<const std::string_view> text_pointers() { return kTextFields; }

std::string description(const FoundFields& fields) {
  const std::string ids = fields.id.empty() ? "ids are INPUT:LINE, for want of a field"
                                            : fmt::format("ids are taken from {}", fields.id);
  return fmt::format("{}, texts from {}", ids, fields.text);
}

std::string stored_words(const FoundFields& fields) {
  return fmt::format("{} {}", fields.id.empty() ? kNoId : std::string_view(fields.id), fields.text);
}

bool read_stored_words(std::string_view id, std::string_view text, FoundFields& fields) {
  if (id != kNoId && std::ranges::find(kIdFields, id) == kIdFields.end()) return false;
  if (text != kUsualText && std::ranges::find(kOtherTexts, text) == kOtherTexts.end()) return false;
  fields = {.id = std::string(id == kNoId ? "" : id), .text = std::string(text)};
  return true;
}

}  // namespace neardup
