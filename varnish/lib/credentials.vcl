# Who says who they are gets an answer of their own: it is neither taken from the cache nor kept in it. Cookies say
# nothing to the server; only a connect may carry one that means something to it.
import std;

sub vcl_recv {
    if (req.http.Authorization || req.http.BAT || (std.strstr(req.url, "BAT=") && req.url ~ "[?&]BAT=")) {
        return (pass);
    }
    if (req.http.Cookie && req.url !~ "^/v1/connect") {
        unset req.http.Cookie;
    }
}
