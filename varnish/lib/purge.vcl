# Invalidation from the server: PURGE forgets one URL with all its variants. Who may purge knows the secret, which is in
# the environment of varnishd, so that no list of processes shows it. Without one nobody may.
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
}

sub vcl_purge {
    return (synth(204, "Purged"));
}
