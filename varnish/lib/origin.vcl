# Where an answer came from: X-Cache is about this cache alone. Orestes-Cache, the server's own header, says on a hit here
# what it would say on a hit there.

sub vcl_deliver {
    if (obj.uncacheable) {
        set resp.http.X-Cache = "pass";
    } elseif (obj.hits > 0) {
        set resp.http.X-Cache = "hit";
        set resp.http.Orestes-Cache = "hit";
    } else {
        set resp.http.X-Cache = "miss";
    }
}
