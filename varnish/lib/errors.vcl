# What the cache itself has to say, in the form of the server's errors (protocol section 2): clients take a page of HTML
# for a broken server.

sub vcl_synth {
    set resp.http.Cache-Control = "no-store";
    if (resp.status >= 400) {
        set resp.http.Content-Type = "application/json;charset=utf-8";
        if (resp.status == 403) {
            set resp.http.Orestes-Error = "Forbidden";
        } elseif (resp.status == 405) {
            set resp.http.Orestes-Error = "Method Not Allowed";
        } elseif (resp.status < 500) {
            set resp.http.Orestes-Error = "Bad Request";
        } else {
            set resp.http.Orestes-Error = "Unavailable";
        }
        set resp.body = {"{"status": "} + resp.status + {", "className": ""} +
            regsuball(resp.http.Orestes-Error, " ", "") + {"", "reason": ""} + resp.http.Orestes-Error +
            {"", "message": ""} + resp.reason + {"" }"};
        unset resp.http.Orestes-Error;
    }
    return (deliver);
}

# An error is nobody's copy, but that it is none is remembered, for a second: what callers make up is not to fill memory.
sub vcl_backend_response {
    if (beresp.status >= 400 && beresp.http.Cache-Control ~ "no-store" && !bereq.uncacheable) {
        set beresp.uncacheable = true;
        set beresp.ttl = 1s;
        set beresp.keep = 0s;
        return (deliver);
    }
}

# With no time to live at all it is no copy: who waited asks again, and what was to be refreshed in the background stays as it is.
sub vcl_backend_error {
    set beresp.status = 503;
    set beresp.ttl = 0s;
    set beresp.http.Cache-Control = "no-store";
    set beresp.http.Retry-After = "1";
    set beresp.http.Content-Type = "application/json;charset=utf-8";
    set beresp.body =
        {"{"status":503,"className":"Unavailable","reason":"Unavailable","message":"The server cannot be reached" }"};
    return (deliver);
}
