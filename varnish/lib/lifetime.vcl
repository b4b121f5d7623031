# How long a copy lives: as long as the server declares, counted from when its fetch began. `s-maxage` is meant for caches
# that are purged. Without a purge secret nobody can purge this one, and data live here as long as in a browser, `max-age`:
# what clients know from their Bloom filter then covers this cache as it covers theirs, and query results, which no
# filter covers, are not kept.
import std;

sub vcl_backend_response {
    set beresp.ttl = beresp.ttl - (now - std.real2time(std.real(bereq.http.Orestes-Began, 0.0), now));
    if (std.getenv("ORESTES_PURGE_SECRET") !~ "." && bereq.url ~ "^/v1/(db|file)/") {
        call orestes_unpurged;
    } elseif (now - std.real2time(std.real(bereq.http.Orestes-Began, 0.0), now) > 0.8s && bereq.url ~ "^/v1/(db|file)/") {
        # The server purges twice, a second apart: a fetch that saw the state before a write and took no longer than this
        # has arrived by the second purge. A slower one could be stored after it and stay.
        set beresp.ttl = 0s;
    }
    # expired copies stay for conditional requests, which is not serving them
    set beresp.keep = 1h;
}

sub orestes_unpurged {
    if (beresp.http.Cache-Control !~ "(?i)(^|[, ])max-age=[0-9]") {
        set beresp.ttl = 0s;
    } elseif (std.duration(regsub(beresp.http.Cache-Control, "(?i)^(.*[, ])?max-age=([0-9]{1,9}).*$", "\2s"), 0s)
        - beresp.age < beresp.ttl) {
        set beresp.ttl = std.duration(
            regsub(beresp.http.Cache-Control, "(?i)^(.*[, ])?max-age=([0-9]{1,9}).*$", "\2s"), 0s) - beresp.age;
    }
}

# Handshake and filter may be a second old when they arrive. A cache in front of this one would add its own second, as ages are
# cut to whole ones, so it has to ask each time.
sub vcl_deliver {
    if (resp.http.Cache-Control == "public, max-age=0, s-maxage=1") {
        set resp.http.Cache-Control = "public, max-age=0";
    }
}
