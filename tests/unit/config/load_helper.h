// Short ways to load a configuration in tests.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/load.h"

namespace neardup {

inline LoadResult load_yaml(std::string_view yaml) {
  LoadRequest request;
  request.file = "config.yaml";
  return load_config_text(yaml, request);
}

inline LoadResult load_service(std::string_view yaml) {
  LoadRequest request;
  request.file = "config.yaml";
  request.service = true;
  return load_config_text(yaml, request);
}

inline LoadResult load_sets(std::vector<std::string> sets) {
  LoadRequest request;
  request.sets = std::move(sets);
  return load_config(request);
}

inline LoadResult load_environment(std::vector<std::pair<std::string, std::string>> environment) {
  LoadRequest request;
  request.environment = std::move(environment);
  return load_config(request);
}

}  // namespace neardup
