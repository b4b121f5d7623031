package io.orestes.coherence;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A page that reads and writes through Varnish and the cache of its browser. It never sees anything
 * older than its filter, nor than what it has written or has seen by one URL; or, if it uses copies
 * of purged caches, than purges were behind its filter, nor than what it has written.
 */
final class BrowserPage implements Runnable {

    /** Number of objects on the page, which are read repeatedly. */
    private static final int IN_VIEW = 40;

    private static final double QUERIES = 0.002;
    private static final double SCROLLS = 0.002;
    private static final double DELETES = 0.1;
    private static final List<WriteMode> WAYS = List.of(WriteMode.values());

    private final String name;
    private final RunContext world;
    private final BrowserHttpCache browser;
    private final ClientGuard guard;
    private final Group own;
    private final long betweenWrites;
    private final HttpConnection wire;
    private final ObjectWriter author;
    private final Random dice;

    /** The state of each resource since this page's last write to it. */
    private final Map<String, Integer> written = new HashMap<>();

    /**
     * The newest state from each URL: another spelling of a query has copies of its own, which may
     * be older.
     */
    private final Map<String, Integer> seen = new HashMap<>();

    private final List<Resource> view = new ArrayList<>();
    private long nextWrite;

    /**
     * Creates a page that reads everything.
     *
     * @param port of Varnish
     * @param own the group that only this page writes
     */
    BrowserPage(
            int port,
            RunContext world,
            BrowserHttpCache browser,
            ClientGuard guard,
            Group own,
            Duration betweenWrites,
            long seed) {
        this.name = "tab " + seed;
        this.world = world;
        this.browser = browser;
        this.guard = guard;
        this.own = own;
        this.betweenWrites = betweenWrites.toNanos();
        this.wire = new HttpConnection(port);
        this.author = new ObjectWriter(world, wire);
        this.dice = new Random(seed);
    }

    @Override
    public void run() {
        while (!world.isOver()) {
            if (guard.isDue(System.nanoTime())) {
                reload();
            }
            if (System.nanoTime() > nextWrite) {
                write(WAYS.get(dice.nextInt(WAYS.size())));
            }
            read(next());
        }
    }

    private Resource next() {
        if (dice.nextDouble() < QUERIES) {
            return world.anyQuery(dice);
        }
        int place = dice.nextInt(IN_VIEW);
        if (place >= view.size()) {
            view.add(world.anyObject(dice));
        } else if (dice.nextDouble() < SCROLLS) {
            view.set(place, world.anyObject(dice));
        }
        return view.get(Math.min(place, view.size() - 1));
    }

    /** Writes an object of its own, and reads what it has written. */
    void write(WriteMode way) {
        Resource object = own.objects().get(dice.nextInt(own.objects().size()));
        read(object);
        author.write(way, own, object, own.has(object) && dice.nextDouble() < DELETES);
        if (way.isSentToTheObject()) {
            browser.invalidate(object.targets().get(0));
        }
        wrote(object);
        written(own.query());
        if (author.answer().filter(guard::hasKeptResults).isEmpty()) {
            wrote(own.query());
        }
        read(object);
        read(own.query());
        nextWrite = System.nanoTime() + betweenWrites;
    }

    private void wrote(Resource resource) {
        guard.wrote(resource.key());
        written(resource);
    }

    private void written(Resource resource) {
        written.put(resource.key(), resource.history().newest());
    }

    /** Loads a filter, whether one is due or not. */
    void reload() {
        guard.load(wire);
        if (!world.isHonest()) {
            guard.distrustPurges();
        }
    }

    /**
     * Reads a resource, from the cache unless the guard demands a revalidation, and has the read
     * checked.
     */
    void read(Resource resource) {
        String target = resource.targets().get(dice.nextInt(resource.targets().size()));
        long began = System.nanoTime();
        Optional<String> demand = guard.demand(resource.key(), target, began);
        try {
            BrowserHttpCache.Loaded loaded = browser.load(target, demand, wire);
            if (loaded.status() != 200 && loaded.status() != 404) {
                world.failed();
                return;
            }
            check(resource, target, loaded, demand, began);
        } catch (IOException unreachable) {
            world.failed();
        }
    }

    private void check(
            Resource resource, String target, BrowserHttpCache.Loaded loaded, Optional<String> demand, long began) {
        if (loaded.status() == 404) {
            view.remove(resource);
        } else if (demand.isPresent()) {
            guard.revalidated(target, began);
        }
        boolean isNewest = demand.filter(ClientGuard.NEWEST::equals).isPresent();
        Checker.Read read = new Checker.Read(
                name,
                began,
                isNewest ? began : guard.coveredFrom(began),
                demand.orElse(guard.describe(resource.key())),
                Math.max(written.getOrDefault(resource.key(), 0), seen.getOrDefault(target, 0)),
                loaded.isFromNetwork());
        if (loaded.isFromNetwork()) {
            world.journal()
                    .note(
                            resource,
                            "%s %s %s from %s"
                                    .formatted(
                                            name,
                                            demand.isPresent() ? "revalidated to" : "loaded",
                                            resource.print(loaded.status(), loaded.body()),
                                            target));
        }
        int state = world.checker().check(resource, read, loaded.status(), loaded.body());
        if (guard.isForwardOnly()) {
            seen.put(target, state);
        }
    }
}
