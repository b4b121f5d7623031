vcl 4.1;

# Orestes behind Varnish 7. One file per concern; within each step they take their turn in this order, and what none of
# them decides the built-in VCL does. backend.vcl says where the server is, classes.vcl how classes are purged; `./orestes varnish`
# writes both.

include "backend.vcl";
include "lib/headers.vcl";
include "lib/cors.vcl";
include "classes.vcl";
include "lib/counts.vcl";
include "lib/purge.vcl";
include "lib/connections.vcl";
include "lib/credentials.vcl";
include "lib/keys.vcl";
include "lib/freshness.vcl";
include "lib/lifetime.vcl";
include "lib/stale.vcl";
include "lib/plain.vcl";
include "lib/errors.vcl";
include "lib/origin.vcl";
