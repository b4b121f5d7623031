# Plain reads of data need nothing of what the built-in VCL would do for them now: it looks at the host, which is no part of their
# key, and sends methods and credentials past the cache that are gone by now. Most requests are such, so a hit goes without.
import std;

sub vcl_recv {
    if (req.method == "GET" && req.http.Host && std.strstr(req.url, "/v1/db/") == req.url) {
        return (hash);
    }
}
