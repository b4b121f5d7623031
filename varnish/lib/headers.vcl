# The headers by which one step of this cache tells the next something. Nobody outside sets or sees them; the purge
# secret is no exception, for it is compared and goes no further. Surrogate keys are for caches in front of the server, not of this one.

sub vcl_recv {
    if (req.restarts == 0) {
        unset req.http.Orestes-Origin;
        unset req.http.Orestes-Newest;
        unset req.http.Orestes-Or-Purged;
        unset req.http.Orestes-Bounded;
        unset req.http.Orestes-At-Most;
        unset req.http.Orestes-Began-After;
        unset req.http.Orestes-Fetch-First;
        unset req.http.Orestes-Fetch-Failed;
        unset req.http.Orestes-Purged;
    }
}

sub vcl_deliver {
    unset resp.http.Orestes-Began;
    unset resp.http.Orestes-Newest;
    unset resp.http.Orestes-Url;
    unset resp.http.Orestes-While-Revalidate;
}

sub vcl_backend_response {
    unset beresp.http.Surrogate-Key;
}
