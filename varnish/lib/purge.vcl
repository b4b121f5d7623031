# Invalidation from the server: PURGE forgets one URL with all its variants, or, with `Orestes-Purge: below`, every URL that
# begins so, for whole classes and for everything; surrogate keys do that for classes where there are any, and otherwise a ban,
# which is tried against a copy when it is next asked for or by Varnish's own sweep. Who may purge knows the secret, which is
# in the environment of varnishd, so that no list of processes shows it. Without one nobody may.
#
# Writes that pass through here forget their URL as well (RFC 9111, section 4.4), but only those that the server has done: nobody
# empties this cache with writes that are refused. Whom the server can purge has been told before the write was answered; otherwise a
# ban does it. A read that was under way meanwhile may store the old state again; against that only PURGE helps, or a revalidation.
import std;

sub vcl_recv {
    if (req.method == "PURGE") {
        if (std.getenv("ORESTES_PURGE_SECRET") == "" ||
            req.http.Orestes-Purge-Secret != std.getenv("ORESTES_PURGE_SECRET")) {
            return (synth(403, "Purging needs the purge secret of this cache"));
        }
        if (req.http.Orestes-Purge == "below") {
            call orestes_purge_below;
        }
        return (purge);
    }
    unset req.http.Orestes-Purge-Secret;
    unset req.http.Orestes-Purge;
}

sub orestes_purge_below {
    if (req.url !~ "^/[A-Za-z0-9_./]*$") {
        return (synth(400, "Only a plain path can be purged with all that is below it"));
    }
    call orestes_purge_class;
    if (!std.ban("obj.http.Orestes-Url ~ ^" + req.url)) {
        return (synth(503, "The copies could not be banned"));
    }
    return (synth(204, "Purged"));
}

sub vcl_backend_response {
    set beresp.http.Orestes-Url = bereq.url;
    if (bereq.method != "GET" && beresp.status >= 200 && beresp.status < 300 && std.getenv("ORESTES_PURGE_SECRET") == "" &&
        (bereq.method ~ "^(PUT|DELETE|PATCH)$" || (bereq.method == "POST" &&
        bereq.url ~ "^/v1/db/[^/?]+/[^/?]+(/[^/?]+)?$" && bereq.url !~ "^/v1/db/[^/]+/(query|count|bulk)$"))) {
        # a partial update may name a field behind the object
        std.ban("obj.http.Orestes-Url == " + regsub(bereq.url, "^(/v1/db/[^/]+/[^/]+)/.*$", "\1"));
    }
}

sub vcl_purge {
    return (synth(204, "Purged"));
}
