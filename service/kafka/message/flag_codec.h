// Flags as bytes (pipeline/model/flag.h), for the outbox and for the chain.
#pragma once

#include <string>

#include "pipeline/model/flag.h"
#include "storage/bytes.h"

namespace neardup {

void encode_flag(const Flag& flag, std::string& out);

// Reads one flag. False when the bytes are not a flag; the reader must not be used after that.
bool decode_flag(ByteReader& reader, Flag& flag);

}  // namespace neardup
