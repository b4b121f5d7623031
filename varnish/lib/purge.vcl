# Invalidation from the server: PURGE forgets one URL with all its variants. Who may purge knows the secret, which is in
# the environment of varnishd, so that no list of processes shows it. Without one nobody may.
#
# Writes that pass through here forget their URL as well (RFC 9111, section 4.4), on their way to the server. A read between
# that and the commit stores the old state again; against that only the server's PURGE helps, or a revalidation.
import std;

sub vcl_recv {
    if (req.method == "PURGE") {
        if (std.getenv("ORESTES_PURGE_SECRET") == "" ||
            req.http.Orestes-Purge-Secret != std.getenv("ORESTES_PURGE_SECRET")) {
            return (synth(403, "Purging needs the purge secret of this cache"));
        }
        return (purge);
    }
    unset req.http.Orestes-Purge-Secret;
    if (req.restarts == 0 && req.method ~ "^(PUT|DELETE|PATCH)$") {
        return (purge);
    }
}

sub vcl_purge {
    if (req.method != "PURGE") {
        return (restart);
    }
    return (synth(204, "Purged"));
}
