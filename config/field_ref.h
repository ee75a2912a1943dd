// How the tables of keys point into a Config.
#pragma once

#include <type_traits>

#include "config/fields.h"

namespace neardup {

template <typename T>
Slot field_ref(T& member) {
  if constexpr (std::is_enum_v<T>) {
    static_assert(std::is_same_v<std::underlying_type_t<T>, unsigned char>);
    // Characters may alias anything, and an enum's object is its underlying number.
    return EnumSlot{reinterpret_cast<std::uint8_t*>(&member), names(member)};
  } else {
    return &member;
  }
}

}  // namespace neardup

#define FIELD_REF(member) [](Config& config) -> Slot { return field_ref(config.member); }
