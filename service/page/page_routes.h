// GET / and the files of the page.
#pragma once

#include "service/http/route.h"

namespace neardup {

// Adds them; whoever reaches the port may read them, since they hold no data.
void add_page_routes(HttpRoutes& routes);

}  // namespace neardup
