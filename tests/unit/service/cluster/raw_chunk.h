// JSON Lines as a chunk of raw records.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/prepare.h"

namespace neardup {

// `from`: the position of the first line.
inline RawChunk raw_chunk(const std::vector<std::string>& lines, SourcePosition from) {
  RawChunk chunk;
  for (const std::string& line : lines) chunk.buffer += line;
  chunk.buffer.append(kTextPadding, '\0');
  std::size_t at = 0;
  for (const std::string& line : lines) {
    const std::string_view bytes = std::string_view(chunk.buffer).substr(at, line.size());
    chunk.records.push_back({.bytes = bytes, .source = from, .size = line.size()});
    at += line.size();
    ++from.place;
  }
  return chunk;
}

}  // namespace neardup
