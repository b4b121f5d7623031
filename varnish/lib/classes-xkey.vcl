# Whole classes are forgotten by their surrogate key, which is their path: that costs what the class has copies, at once, whereas
# a ban is tried against every copy of the whole cache. The key is taken from the URL, so it is there whatever the server says.
import xkey;

sub vcl_backend_response {
    if (bereq.url ~ "^/v1/(db|file)/[A-Za-z0-9_.]+/") {
        set beresp.http.xkey = regsub(bereq.url, "^(/v1/[a-z]+/[A-Za-z0-9_.]+/).*$", "\1");
    }
}

sub orestes_purge_class {
    if (req.url ~ "^/v1/(db|file)/[A-Za-z0-9_.]+/$") {
        set req.http.Orestes-Purged = xkey.purge(req.url);
        return (synth(204, "Purged"));
    }
}

sub vcl_deliver {
    unset resp.http.xkey;
}
