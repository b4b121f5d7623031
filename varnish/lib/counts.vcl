# What this cache has counted, for a server that asks with the purge secret. VCL cannot read Varnish's counters: `./orestes varnish` reads
# them every few seconds and tells them here, by PUT in a header, and they are kept as a copy of this URL until the next are told. To be asked,
# and told, counts as well: how often the copy was asked for goes back with each answer, so that who tells can take that off; that nothing was
# told yet is a copy for the same reason. To compare the URL is all that other requests pay for it.
import std;

sub vcl_recv {
    if (req.url == "/-/varnish/counts") {
        if (std.getenv("ORESTES_PURGE_SECRET") == "" ||
            req.http.Orestes-Purge-Secret != std.getenv("ORESTES_PURGE_SECRET")) {
            return (synth(403, "What was counted is told with the purge secret of this cache"));
        }
        if (req.method == "PUT") {
            set req.hash_always_miss = true;
        } else {
            unset req.http.Orestes-Counts;
        }
        return (hash);
    }
}

sub vcl_hash {
    if (req.url == "/-/varnish/counts") {
        hash_data(req.url);
        return (lookup);
    }
}

sub vcl_backend_fetch {
    if (bereq.url == "/-/varnish/counts") {
        return (error(200, "Told"));
    }
}

sub vcl_backend_error {
    if (bereq.url == "/-/varnish/counts") {
        if (bereq.http.Orestes-Counts) {
            set beresp.http.Orestes-Counts = bereq.http.Orestes-Counts;
        } else {
            set beresp.status = 404;
        }
        set beresp.http.Cache-Control = "no-store";
        set beresp.body = "";
        set beresp.ttl = 1m;
        return (deliver);
    }
}

sub vcl_deliver {
    if (req.url == "/-/varnish/counts") {
        set resp.http.Orestes-Asked = obj.hits;
        return (deliver);
    }
}
