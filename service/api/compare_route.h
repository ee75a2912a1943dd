// POST /v1/compare.
#pragma once

#include "config/config.h"
#include "pipeline/rule/rule.h"
#include "service/control/control.h"
#include "service/http/route.h"

namespace neardup {

// Requires: the references outlive the server of the route.
HttpRoute compare_route(Control& control, const Config& config, const Rule& rule);

}  // namespace neardup
