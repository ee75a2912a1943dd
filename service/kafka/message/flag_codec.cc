#include "service/kafka/message/flag_codec.h"

namespace neardup {

void encode_flag(const Flag& flag, std::string& out) {
  ByteWriter writer(out);
  flag_fields(writer, flag);
}

bool decode_flag(ByteReader& reader, Flag& flag) {
  flag_fields(reader, flag);
  return reader.fits();
}

}  // namespace neardup
