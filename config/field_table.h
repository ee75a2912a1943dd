// The parts of the table of keys, and how their entries point into a Config.
#pragma once

#include <type_traits>
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

// The keys that only a service reads.
std::vector<Field> service_fields();

// The keys of the state: its place, and what it keeps.
std::vector<Field> state_fields();

}  // namespace neardup

#define FIELD_REF(member) [](Config& config) -> Slot { return field_ref(config.member); }
