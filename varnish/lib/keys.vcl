# Under which key a copy is kept. An object has one: its URL in the one spelling the server gives ids, so that one PURGE
# finds it. Other spellings, and parameters that mean nothing to an object, go past the cache; so does the
# cache buster BCB. Hosts do not matter to data.

sub vcl_recv {
    if (req.url ~ "[?&]BCB(&|$)") {
        return (pass);
    }
    if (req.url ~ "^/v1/db/" && req.url !~ "^/v1/db/[^/?]+/query\?") {
        if (req.url !~ "^/v1/db/[A-Za-z0-9_.]+/([A-Za-z0-9_.!~*'()-]|%[0-9A-F][0-9A-F])+$" ||
            req.url ~ "%(2[1789ADE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])") {
            return (pass);
        }
    }
    if (req.url ~ "^/v1/connect") {
        if (req.http.Accept ~ "text/html") {
            set req.http.Accept = "text/html";
        } else {
            unset req.http.Accept;
        }
    }
    if (req.http.Accept-Encoding ~ "gzip") {
        set req.http.Accept-Encoding = "gzip";
    } else {
        unset req.http.Accept-Encoding;
    }
}

sub vcl_hash {
    hash_data(req.url);
    if (req.url !~ "^/v1/(db|file)/") {
        hash_data(req.http.Host);
    }
    return (lookup);
}
