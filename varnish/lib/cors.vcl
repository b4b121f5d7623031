# Pages of any origin may call (Fetch standard, section 3.2). One stored copy serves them all: the server is not told the
# origin, unless it answers directly, and what a browser wants to see is added on the way out. Preflights never reach the server.
# The texts are those of Cors.java; a system test compares them.

sub vcl_recv {
    if (req.http.Origin) {
        set req.http.Orestes-Origin = req.http.Origin;
        unset req.http.Origin;
    }
    if (req.method == "OPTIONS") {
        return (synth(204, "Preflight"));
    }
}

sub vcl_pipe {
    if (req.http.Orestes-Origin) {
        set bereq.http.Origin = req.http.Orestes-Origin;
    }
}

sub orestes_allow {
    set resp.http.Access-Control-Allow-Methods = "GET, HEAD, POST, PUT, DELETE, OPTIONS";
    set resp.http.Access-Control-Allow-Headers = "authorization, content-type, accept, cache-control, if-match," +
        " if-none-match, if-unmodified-since, last-event-id, orestes-consistency, baqend-acl, baqend-custom-headers";
    if (req.http.Access-Control-Request-Headers) {
        set resp.http.Access-Control-Allow-Headers =
            resp.http.Access-Control-Allow-Headers + ", " + req.http.Access-Control-Request-Headers;
    }
    set resp.http.Access-Control-Max-Age = "86400";
}

# Neither header reaches the server from here, so that one copy is for all, and a hit need not compare them.
sub vcl_backend_response {
    if (beresp.http.Vary == "origin, orestes-consistency") {
        unset beresp.http.Vary;
    }
}

sub orestes_expose {
    if (req.http.Orestes-Origin) {
        set resp.http.Access-Control-Allow-Origin = req.http.Orestes-Origin;
        set resp.http.Access-Control-Allow-Credentials = "true";
        set resp.http.Access-Control-Expose-Headers = "baqend-authorization-token, content-type, etag, last-modified," +
            " baqend-size, baqend-acl, baqend-created-at, baqend-custom-headers, baqend-mfa-auth-token, location," +
            " orestes-cache, orestes-bound, orestes-purge-lag, orestes-results-kept, age, date, retry-after";
        set resp.http.Timing-Allow-Origin = "*";
    }
}

sub vcl_deliver {
    if (!resp.http.Vary) {
        set resp.http.Vary = "origin, orestes-consistency";
    } elseif (resp.http.Vary !~ "(?i)(^|[, ])origin([, ]|$)") {
        set resp.http.Vary = regsub(resp.http.Vary + ", origin", "^, ", "");
    }
    call orestes_expose;
}

sub vcl_synth {
    set resp.http.Vary = "origin";
    call orestes_expose;
    if (req.method == "OPTIONS") {
        call orestes_allow;
        return (deliver);
    }
}
