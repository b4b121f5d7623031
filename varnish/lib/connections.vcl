# Connections that stay open, event streams and WebSockets, go to the server as they are. Their paths are known, so that
# nothing else leaves the cache's sight: after a pipe is made, whatever the client sends reaches the server. So the server
# is told to close a connection that it makes no WebSocket of.
import std;

sub vcl_recv {
    if (req.method == "GET" && std.strstr(req.url, "/events") && (req.url ~ "^/v1/db/[^/?]+/events(\?|$)" ||
        (req.url ~ "^/v1/events(\?|$)" && req.http.Upgrade ~ "(?i)^websocket$"))) {
        return (pipe);
    }
    if (req.method != "GET" && req.method !~ "^(GET|HEAD|PUT|POST|DELETE|PATCH|OPTIONS)$") {
        return (synth(405, "This resource does not know that method"));
    }
}

sub vcl_pipe {
    if (req.url !~ "^/v1/db/") {
        set bereq.http.Upgrade = req.http.Upgrade;
        set bereq.http.Connection = "Upgrade, close";
    }
}
