# How new an answer the client demands. `no-cache` is met by the newest state, `max-age=n` by any copy whose fetch began
# within the last n seconds: that is exact for a client whose Bloom filter is n seconds old. A copy that is too old is made
# to expire, for everybody, and the request starts again: it becomes a conditional request, all who demand the same
# meanwhile wait for it, and who came after that fetch began shares the next one.
#
# `Orestes-Consistency: fresh` is `no-cache` for every cache on the way, `bounded; max-age=n` is `max-age=n`; of the two headers
# the stricter one holds. It is taken off before the copy is looked up: answers vary by it, so that caches that know nothing
# of it keep them apart, but here one copy serves all. What is none of its values is for the server to refuse.
#
# `Cache-Control: no-cache, or-purged` is `no-cache` to every other cache on the way, which does not know the second word (RFC
# 9111, section 5.2.3). Here, if this cache is purged, a copy that lives will do: who says so knows from the server how far behind
# purges are. An expired copy will not, nor one from a fetch that was under way for too long, see lifetime.vcl, though who waited
# for it would find it alive.
#
# Handshake and filter are exempt. Clients always ask for them with `no-cache`; the second they may be old is part of the
# bound that clients are promised.
import purge;
import std;

sub vcl_recv {
    if (req.restarts == 0 && (req.http.Cache-Control || req.http.Orestes-Consistency)) {
        if (req.url ~ "^/v1/(connect|bloomfilter)(\?|$)") {
            unset req.http.Cache-Control;
            unset req.http.Orestes-Consistency;
        } elseif (req.http.Cache-Control ~ "(?i)^[ \t]*no-cache[ \t]*,[ \t]*or-purged[ \t]*$" &&
            req.url ~ "^/v1/(db|file)/" && std.getenv("ORESTES_PURGE_SECRET") ~ ".") {
            set req.http.Orestes-Or-Purged = "true";
            set req.http.Orestes-Bounded = "true";
        } elseif (req.http.Cache-Control ~ {"(?i)no-cache|no-store|max-age="?0+([^0-9]|$)"}) {
            set req.http.Orestes-Newest = "true";
            set req.http.Orestes-Began-After = std.time2real(now, 0.0);
        } elseif (req.http.Cache-Control ~ {"(?i)max-age="?[0-9]"}) {
            set req.http.Orestes-Began-After = std.time2real(now - std.duration(
                regsub(req.http.Cache-Control, {"(?i)^.*max-age="?([0-9]{1,9}).*$"}, "\1s"), 0s), 0.0);
        }
        if (req.http.Orestes-Consistency && req.method ~ "^(GET|HEAD)$") {
            call orestes_consistency;
        }
    }
}

sub orestes_consistency {
    std.collect(req.http.Orestes-Consistency);
    if (req.http.Orestes-Consistency ~ "(?i)^[ \t]*(fresh|bounded[ \t]*;[ \t]*max-age=0{1,9})[ \t]*$") {
        set req.http.Orestes-At-Most = "0";
        set req.http.Orestes-Newest = "true";
        set req.http.Orestes-Began-After = std.time2real(now, 0.0);
    } elseif (req.http.Orestes-Consistency ~ "(?i)^[ \t]*bounded[ \t]*;[ \t]*max-age=[0-9]{1,9}[ \t]*$") {
        set req.http.Orestes-At-Most =
            regsub(req.http.Orestes-Consistency, "^.*=0*([0-9]+)[ \t]*$", "\1");
        if (std.real(req.http.Orestes-Began-After, 0.0) <
            std.time2real(now - std.duration(req.http.Orestes-At-Most + "s", 0s), 0.0)) {
            set req.http.Orestes-Began-After =
                std.time2real(now - std.duration(req.http.Orestes-At-Most + "s", 0s), 0.0);
        }
    } elseif (req.http.Orestes-Consistency !~ "(?i)^[ \t]*(any|bounded)[ \t]*$") {
        return (pass);
    }
    if (req.http.Orestes-Consistency ~ "(?i)fresh|bounded") {
        set req.http.Orestes-Bounded = "true";
    }
    unset req.http.Orestes-Consistency;
}

sub vcl_hit {
    if (req.http.Orestes-Or-Purged && obj.ttl <= 0s) {
        set req.http.Orestes-Began-After = std.time2real(now, 0.0);
    }
    if (req.http.Orestes-Began-After &&
        (std.real(obj.http.Orestes-Began, 0.0) <= std.real(req.http.Orestes-Began-After, 0.0) ||
        (req.http.Orestes-Newest && !obj.http.Orestes-Newest))) {
        if (req.restarts == 0) {
            # Lived for 0.1 ms, and no grace: the body stays for the conditional request. Zero would be no copy at all.
            set req.http.Orestes-Expired = purge.soft(0.1ms - obj.age, 0s);
        } elseif (req.restarts < 3) {
            # Varnish goes by arrivals, so who waited for this copy came before it and finds it however short its life.
            set req.http.Orestes-Expired = purge.hard();
        } else {
            return (pass);
        }
        return (restart);
    }
}

sub vcl_backend_fetch {
    set bereq.http.Orestes-Began = std.time2real(now, 0.0);
    unset bereq.http.Orestes-Began-After;
    unset bereq.http.Orestes-Expired;
    unset bereq.http.Orestes-Bounded;
    unset bereq.http.Orestes-Or-Purged;
    unset bereq.http.Orestes-At-Most;
    if (!bereq.uncacheable) {
        unset bereq.http.Cache-Control;
        if (bereq.http.Orestes-Newest) {
            # past the server's own cache, too
            set bereq.http.Cache-Control = "no-cache";
        }
    }
}

sub vcl_backend_response {
    set beresp.http.Orestes-Began = bereq.http.Orestes-Began;
    unset beresp.http.Orestes-Newest;
    if (bereq.http.Orestes-Newest) {
        set beresp.http.Orestes-Newest = "true";
    }
}

# Whoever keeps this answer may not hand it out as one that meets the same demand later.
sub vcl_deliver {
    if (req.http.Orestes-At-Most && resp.http.Orestes-Bound) {
        if (resp.http.Cache-Control ~ "^public") {
            set resp.http.Cache-Control = "public, no-cache";
        }
        if (std.integer(resp.http.Orestes-Bound, 0) > std.integer(req.http.Orestes-At-Most, 0)) {
            set resp.http.Orestes-Bound = req.http.Orestes-At-Most;
        }
    }
}
