# When an expired copy may be served (RFC 5861): during a fetch within `stale-while-revalidate`, after a failed one within
# `stale-if-error`, and never if the server declares neither. A purged copy is gone, and a client that demands a newer one
# was sent on before this, so neither ever gets one; nor does who asks for
# `bounded` or more in Orestes-Consistency.
import std;

sub vcl_recv {
    set req.grace = 1y;
    if (req.http.Orestes-Bounded || (req.http.Orestes-Fetch-First && !req.http.Orestes-Fetch-Failed)) {
        set req.grace = 0s;
    }
}

sub vcl_hit {
    if (obj.ttl <= 0s && !req.http.Orestes-Fetch-Failed &&
        obj.ttl + std.duration(obj.http.Orestes-While-Revalidate, 0s) <= 0s) {
        set req.http.Orestes-Fetch-First = "true";
        return (restart);
    }
}

sub vcl_backend_response {
    if (beresp.status >= 500 && (bereq.is_bgfetch || bereq.http.Orestes-Fetch-First)) {
        return (abandon);
    }
    unset beresp.http.Orestes-While-Revalidate;
    set beresp.grace = 0s;
    if (beresp.http.Cache-Control ~ "(?i)stale-while-revalidate=[0-9]") {
        set beresp.http.Orestes-While-Revalidate =
            regsub(beresp.http.Cache-Control, "(?i)^.*stale-while-revalidate=([0-9]{1,9}).*$", "\1s");
        set beresp.grace = std.duration(beresp.http.Orestes-While-Revalidate, 0s);
    }
    if (beresp.http.Cache-Control ~ "(?i)stale-if-error=[0-9]") {
        if (std.duration(regsub(beresp.http.Cache-Control, "(?i)^.*stale-if-error=([0-9]{1,9}).*$", "\1s"), 0s)
            > beresp.grace) {
            set beresp.grace = std.duration(
                regsub(beresp.http.Cache-Control, "(?i)^.*stale-if-error=([0-9]{1,9}).*$", "\1s"), 0s);
        }
    }
}

sub vcl_backend_error {
    if (bereq.http.Orestes-Fetch-First) {
        return (abandon);
    }
}

sub vcl_synth {
    if (resp.status == 503 && req.http.Orestes-Fetch-First && !req.http.Orestes-Fetch-Failed) {
        set req.http.Orestes-Fetch-Failed = "true";
        return (restart);
    }
}
