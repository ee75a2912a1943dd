// Requests about the documents of a state, to the service that holds it.
#pragma once

#include "service/control/control.h"
#include "service/http/route.h"

namespace neardup {

// Adds GET and DELETE of /v1/documents/{id}, GET of /v1/documents and of /v1/stats. Requires: the
// server of the routes is destroyed before `control`.
void add_state_routes(Control& control, HttpRoutes& routes);

}  // namespace neardup
