// The parts of the table of keys, and how its rows are written:
//
//   integer("batch.in_flight", FIELD_REF(batch.in_flight)).range(1, 16).help("…")
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "config/fields.h"

namespace neardup {

template <typename T>
Slot field_ref(T& member) {
  if constexpr (std::is_enum_v<T>) {
    static_assert(std::is_same_v<std::underlying_type_t<T>, unsigned char>);
    // An unsigned char may alias any object, and an enum is stored as its underlying type.
    return EnumSlot{reinterpret_cast<std::uint8_t*>(&member), names(member)};
  } else {
    return &member;
  }
}

// Each call sets the member of Field that its comment names, by default the one of the same name.
class Row {
 public:
  Row(FieldType type, std::string_view key, Slot (*slot)(Config&)) : field_{key, type, slot} {}
  operator Field() const { return field_; }

  Row& range(std::uint64_t min, std::uint64_t max) {
    field_.min = min;
    field_.max = max;
    return *this;
  }
  Row& max(std::uint64_t most) { return set(field_.max, most); }
  Row& choices(std::vector<std::uint64_t> values) { return set(field_.choices, std::move(values)); }
  Row& zero(std::string_view word) { return set(field_.zero_word, word); }  // zero_word
  Row& words(std::span<const std::string_view> all) { return set(field_.words, all); }
  Row& old(std::vector<std::pair<std::string_view, std::string_view>> words) {  // old_words
    return set(field_.old_words, std::move(words));
  }
  Row& aliases(std::vector<std::string_view> names) {  // other_names
    return set(field_.other_names, std::move(names));
  }
  Row& help(std::string_view sentences) { return set(field_.help, sentences); }
  Row& cost(std::string_view sentences) { return set(field_.cost, sentences); }

 private:
  template <typename T>
  Row& set(T& member, T value) {
    member = std::move(value);
    return *this;
  }

  Field field_;
};

// The beginning of a row, by its FieldType.
using SlotOf = Slot (*)(Config&);
inline Row integer(std::string_view key, SlotOf slot) { return {FieldType::kInteger, key, slot}; }
inline Row bytes(std::string_view key, SlotOf slot) { return {FieldType::kBytes, key, slot}; }
inline Row duration(std::string_view key, SlotOf slot) { return {FieldType::kDuration, key, slot}; }
inline Row ratio(std::string_view key, SlotOf slot) { return {FieldType::kRatio, key, slot}; }
inline Row boolean(std::string_view key, SlotOf slot) { return {FieldType::kBool, key, slot}; }
inline Row word(std::string_view key, SlotOf slot) { return {FieldType::kEnum, key, slot}; }
inline Row pointer(std::string_view key, SlotOf slot) { return {FieldType::kPointer, key, slot}; }
inline Row path(std::string_view key, SlotOf slot) { return {FieldType::kPath, key, slot}; }
inline Row seed(std::string_view key, SlotOf slot) { return {FieldType::kSeed, key, slot}; }
inline Row text(std::string_view key, SlotOf slot) { return {FieldType::kText, key, slot}; }
inline Row topic(std::string_view key, SlotOf slot) { return {FieldType::kTopic, key, slot}; }
inline Row topics(std::string_view key, SlotOf slot) { return {FieldType::kTopics, key, slot}; }
inline Row words(std::string_view key, SlotOf slot) { return {FieldType::kWords, key, slot}; }
inline Row hosts(std::string_view key, SlotOf slot) { return {FieldType::kHosts, key, slot}; }
inline Row origins(std::string_view key, SlotOf slot) { return {FieldType::kOrigins, key, slot}; }
inline Row address(std::string_view key, SlotOf slot) { return {FieldType::kAddress, key, slot}; }
inline Row address_or_none(std::string_view key, SlotOf slot) {
  return {FieldType::kAddressOrNone, key, slot};
}
inline Row text_map(std::string_view key, SlotOf slot) { return {FieldType::kTextMap, key, slot}; }
inline Row path_map(std::string_view key, SlotOf slot) { return {FieldType::kPathMap, key, slot}; }

// The keys that only a service reads.
std::vector<Field> service_fields();

// The keys of the state: its place, and what it keeps.
std::vector<Field> state_fields();

}  // namespace neardup

#define FIELD_REF(member) [](Config& config) -> Slot { return field_ref(config.member); }
