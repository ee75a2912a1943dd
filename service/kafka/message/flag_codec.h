// Flags as bytes, for the outbox and for the chain (docs/formats/outbox.md).
//
//   flag     := bits:u8 status:u8 seq:varint bytes(id) bytes(namespace) input:varint place:varint
//               [reason:u8 bytes(detail)] [original] [previous]
//   bits     := 1 has an id, 2 known, 4 rejected, 8 original, 16 previous, 32 its similarity
//   original := bytes(id) seq:varint verified_by:u8
//               similarity:varint low:varint high:varint bands_hit:varint
//   previous := seq:varint [similarity:varint]
//
// The threshold, rule, url and text_bytes of a flag are not encoded, since they are not part of the
// decision.
//
// bytes and varint are those of storage/format.h. Enumerators are stored by their number.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/model/flag.h"
#include "storage/bytes.h"

namespace neardup {

void encode_flag(const Flag& flag, std::string& out);

// Reads one flag. False when the bytes are not a flag; the reader must not be used after that.
bool decode_flag(ByteReader& reader, Flag& flag);

}  // namespace neardup
