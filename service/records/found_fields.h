// Finds the id and the text of records that name them in their own way.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pipeline/ports.h"

namespace neardup {

// Where the id and the text of an input are, from its first record that is a JSON object; nothing:
// `json` is none. The id is the first of /id, /_id, /url, /doc_id and /warc_headers/warc-record-id
// that is a string or a number; the text is the string at /text, or at the only one of /content,
// /raw_content and /body that has one, or else it is missing at /text. `input` stays empty.
// `usual`: a string at /id, and the text at /text.
std::optional<FoundFields> find_fields(std::string_view json);

// The pointers that it looks at, in this order.
std::span<const std::string_view> id_pointers();
std::span<const std::string_view> text_pointers();

// "ids from /url, texts from /content": for a note.
std::string description(const FoundFields& fields);

// The two pointers with a space between them, "-" for ids made of names and lines. Reading them:
// false for something else.
std::string stored_words(const FoundFields& fields);
bool read_stored_words(std::string_view id, std::string_view text, FoundFields& fields);

}  // namespace neardup
