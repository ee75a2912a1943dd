// Schemas, items and queries from JSON, and answers to JSON (docs/search.md).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pipeline/items/item_search.h"
#include "pipeline/items/schema.h"

namespace neardup {

// Throws Failure(kConfig) that names the file, the field and what to do.
Schema read_schema(const std::string& path);

// Lines of items or of queries. One thread.
class ItemReader {
 public:
  enum class Of { kItems, kQueries };

  // The schema must outlive this.
  ItemReader(const Schema& schema, Of what);
  ~ItemReader();

  // Sets `item`, or returns why the line cannot be used: the field, and what to do.
  std::string read(std::string_view line, Item& item);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// One JSON object.
std::string answer_json(const ItemAnswer& answer, const ItemSearch& search);

}  // namespace neardup
