# Under which key a copy is kept. A thing has one: its URL in the one spelling the server gives it, so that one PURGE finds it
# and a class can be forgotten by its path. Queries may spell their parameters as they like; the server knows the spellings.
# Whatever else can be asked goes past the cache, whether or not the server would answer it: other spellings, parameters that
# mean nothing, cache busters. So what callers make up takes no room here either. Hosts do not matter to data.
# Parts of answers are not served, as the server does not know them either, but for files: Varnish refuses a part that is not there with
# the headers of the whole, by which caches in front of it would keep the refusal as the answer.
# To look for a word first is cheaper than a regular expression, of which a hit should cost few.
import std;

sub vcl_recv {
    if (std.strstr(req.url, "BCB") && req.url ~ "[?&]BCB(&|$)") {
        return (pass);
    }
    if (req.url ~ "^/v1/db/[A-Za-z0-9_.]+/([A-Za-z0-9_.!~*'()-]+$|query\?)") {
        # a query, or an object whose id needs no escapes: there is no other spelling to be thought of
    } elseif (req.url ~ "^/v1/(db/[A-Za-z0-9_.]+|file/[A-Za-z0-9_]+)(/([A-Za-z0-9_.!~*'()-]|%[0-9A-F][0-9A-F])+)+$") {
        call orestes_require_one_spelling;
    } elseif (req.url !~ "^/v1/(connect|bloomfilter)$" &&
        req.url ~ "^/(v1|sdk|dashboard|demo)(/|\?|$)|[?%;]|//|/\.") {
        # None of ours, no plain path of a page, or a file that browsers keep; here it would be kept for every host and origin that
        # somebody thinks of.
        return (pass);
    } elseif (req.url ~ "^/v1/connect") {
        if (req.http.Accept ~ "(?i)text/html" && req.http.Accept ~ "(?i)application/json|q=0(\.0*)?[ \t]*(,|$)") {
            # which of both is preferred the server knows
            return (pass);
        } elseif (req.http.Accept ~ "(?i)text/html") {
            set req.http.Accept = "text/html";
        } else {
            unset req.http.Accept;
        }
    }
    if (req.http.Range && req.url !~ "^/v1/file/") {
        unset req.http.Range;
    }
    if (req.http.Accept-Encoding) {
        if (std.strstr(req.http.Accept-Encoding, "gzip")) {
            set req.http.Accept-Encoding = "gzip";
        } else {
            unset req.http.Accept-Encoding;
        }
    }
}

# Escaped is what has to be and nothing else; an object has one segment, and files have neither dot segments nor escaped slashes.
sub orestes_require_one_spelling {
    if (req.url ~ "^/v1/(db/[^/]+/[^/]+/|file/.*(%2F|/\.\.?(/|$)))" ||
        (std.strstr(req.url, "%") && req.url ~ "%(2[1789ADE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])")) {
        return (pass);
    }
}

sub vcl_hash {
    hash_data(req.url);
    if (std.strstr(req.url, "/v1/db/") != req.url && req.url !~ "^/v1/file/") {
        hash_data(req.http.Host);
    }
    return (lookup);
}
