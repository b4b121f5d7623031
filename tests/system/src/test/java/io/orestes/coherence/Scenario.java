package io.orestes.coherence;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.process.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A few reads and writes of one object and one query, timed so that a certain bug shows, and run
 * with it or without. Each scenario has a class of its own and its own connection to Varnish, so
 * that many run at once on one {@link Stage}.
 */
final class Scenario implements AutoCloseable {

    /** Skew of a browser's clock, so large that only {@code Age} gives the age of a response. */
    private static final Duration SKEW = Duration.ofHours(-1);

    private static final Duration REFRESH = Duration.ofSeconds(1);

    private final Testbed stage;
    private final Bug bug;
    private final boolean isPlanted;
    private final RunContext world;
    private final ProxyRules fetches;
    private final ProxyRules purges;
    private final Proxy front;
    private final Proxy writeProxy;
    private final Group group;
    private final Resource object;
    private final ObjectWriter author;
    private final AnonymousReader passer;
    private final BrowserPage tab;

    Scenario(Testbed stage, ProxyRules fetches, ProxyRules purges, Bug bug, boolean isPlanted)
            throws IOException, InterruptedException {
        this.stage = stage;
        this.bug = bug;
        this.isPlanted = isPlanted;
        this.fetches = fetches;
        this.purges = purges;
        world = new RunContext(stage, 1, 1);
        front = new Proxy(stage.varnishPort());
        writeProxy = new Proxy(stage.serverPort());
        group = world.group(0);
        object = group.objects().get(0);
        author = new ObjectWriter(world, new HttpConnection(writeProxy.port()));
        passer = new AnonymousReader(world, 0);
        BrowserHttpCache.CacheDefect browser = is(Bug.AGE_IGNORED) || is(Bug.AGE_IGNORED_WITH_EQUAL_LIVES)
                ? BrowserHttpCache.CacheDefect.IGNORES_AGE
                : BrowserHttpCache.CacheDefect.SOUND;
        tab = new BrowserPage(
                front.port(), world, new BrowserHttpCache(SKEW, browser), guard(), group, Duration.ofDays(1), 0);
    }

    private ClientGuard guard() {
        ClientGuard.GuardDefect trait =
                is(Bug.FILTER_NOT_LOOKED_AT) ? ClientGuard.GuardDefect.IGNORES_FILTER : ClientGuard.GuardDefect.SOUND;
        boolean isNearby = bug == Bug.PURGES_LATE_AND_NOT_SAID || bug == Bug.UNPURGED_COPY_TAKEN_FOR_PURGED;
        return new ClientGuard(
                REFRESH, is(Bug.FILTER_NOT_RELOADED) ? ClientGuard.GuardDefect.NEVER_RELOADS : trait, isNearby);
    }

    private boolean is(Bug wanted) {
        return isPlanted && bug == wanted;
    }

    /** Runs the scenario and returns what the checker found. */
    List<String> play() throws IOException, InterruptedException {
        write();
        switch (bug) {
            case NO_SECOND_PURGE -> responseUnderWayDuringAWrite();
            case PURGE_BEFORE_COMMIT, PURGE_LOST_BUT_CONFIRMED -> readBeforeAndAfterAWrite(object);
            case PURGE_SKIPPED_ALTHOUGH_READ -> {
                passer.read(object);
                write();
                readBeforeAndAfterAWrite(object);
            }
            case QUERY_NOT_PURGED -> readBeforeAndAfterAWrite(group.query());
            case ONE_SPELLING_NOT_PURGED -> readByAllSpellings();
            case AGE_IGNORED, AGE_IGNORED_WITH_EQUAL_LIVES -> copyFromAnOldCopy();
            case SHARED_TTL_NOT_REPORTED -> writeWhenNobodyShouldHaveACopy();
            case SLACK_USED_UP -> copyThatLivesTooLong();
            case FILTER_SERVED_STALE, FILTER_ENTRY_EXPIRES_EARLY, FILTER_NOT_LOOKED_AT, FILTER_NOT_RELOADED ->
                ownCopy();
            case SKETCH_FORGOTTEN_AT_RESTART -> restart();
            case REVALIDATION_ANSWERED_FROM_CACHE -> withoutPurges();
            case TAG_REPEATED_AFTER_REINSERT -> deletedAndInsertedAgain();
            case PURGES_LATE_AND_NOT_SAID -> purgesLate();
            case UNPURGED_COPY_TAKEN_FOR_PURGED -> copyNearby();
            case RESULT_CHANGED_AND_NOT_SAID -> resultOfAnOwnWrite();
        }
        return world.checker().violations();
    }

    private void write() {
        assertThat(author.write(WriteMode.REPLACE, group, object, false)).isTrue();
    }

    private static void pause(double seconds) {
        Waiting.pause(Duration.ofMillis(Math.round(seconds * 1000)));
    }

    private void responseUnderWayDuringAWrite() {
        if (isPlanted) {
            purges.put(world.path(), ProxyRules.onlyFirst());
        }
        // the purges of the first write have ended
        pause(1.5);
        fetches.put(world.path(), ProxyRules.heldUp(Duration.ofMillis(600)));
        Thread early = Threads.start("early", () -> passer.read(object));
        pause(0.25);
        write();
        Threads.join(early);
        pause(3.2);
        passer.read(object);
    }

    private void readBeforeAndAfterAWrite(Resource resource) {
        pause(1.5);
        passer.read(resource);
        if (is(Bug.PURGE_BEFORE_COMMIT)) {
            writeProxy.rule(ProxyRules.purgedBefore(stage.varnishPort()));
        }
        if (isPlanted) {
            purges.put(world.path(), is(Bug.QUERY_NOT_PURGED) ? ProxyRules.queriesSwallowed() : ProxyRules.swallowed());
        }
        write();
        pause(3.2);
        passer.read(resource);
    }

    private void readByAllSpellings() {
        Resource query = group.query();
        pause(1.5);
        query.targets().forEach(target -> passer.read(query, target));
        if (isPlanted) {
            purges.put(world.path(), ProxyRules.swallowed("/query?start=0"));
        }
        write();
        pause(3.2);
        query.targets().forEach(target -> passer.read(query, target));
    }

    /** The server allows for an age that caches understate by two seconds. Five are too many. */
    private void copyThatLivesTooLong() {
        fetches.put(world.path(), ProxyRules.kept(Testbed.SHARED_MAX_TTL.plusSeconds(isPlanted ? 5 : 2)));
        pause(1.5);
        passer.read(object);
        pause(isPlanted ? 8.5 : 6.6);
        write();
        pause(1.1);
        tab.reload();
        tab.read(object);
    }

    /**
     * Varnish's copy is more than five seconds old when the browser gets it, and has to be unused
     * after six.
     */
    private void copyFromAnOldCopy() {
        // the second purge of the first write has ended, even if it was late
        pause(2.5);
        passer.read(object);
        long copied = System.nanoTime();
        pauseUntil(copied, 5.2);
        tab.reload();
        tab.read(object);
        pauseUntil(copied, 7.3);
        write();
        pauseUntil(copied, 8.6);
        tab.reload();
        tab.read(object);
    }

    private static void pauseUntil(long begin, double seconds) {
        pause(Math.max(0, seconds - (System.nanoTime() - begin) / 1e9));
    }

    private void writeWhenNobodyShouldHaveACopy() {
        if (isPlanted) {
            fetches.put(world.path(), ProxyRules.kept(Duration.ofMinutes(1)));
        }
        pause(1.5);
        passer.read(object);
        pause(8.5);
        write();
        pause(1.1);
        tab.reload();
        tab.read(object);
    }

    private void ownCopy() {
        if (is(Bug.FILTER_SERVED_STALE)) {
            front.rule(ProxyRules.filterKept());
        }
        tab.reload();
        tab.read(object);
        write();
        pause(1.1);
        if (is(Bug.FILTER_ENTRY_EXPIRES_EARLY)) {
            front.rule(ProxyRules.filterEmptied());
        }
        if (bug != Bug.FILTER_NOT_RELOADED || !isPlanted) {
            tab.reload();
        } else {
            pause(1);
        }
        tab.read(object);
    }

    private void restart() throws IOException, InterruptedException {
        tab.reload();
        tab.read(object);
        stage.killServer();
        if (isPlanted) {
            Files.writeString(stage.sketch(), "orestes-sketch-2 0 0 0\n");
        }
        stage.startServer();
        // an older connection would break, and resolving the write would show the server a reader
        ObjectWriter next = new ObjectWriter(world, new HttpConnection(stage.serverPort()));
        assertThat(next.write(WriteMode.REPLACE, group, object, false)).isTrue();
        pause(1.1);
        tab.reload();
        tab.read(object);
    }

    /** The filter alone keeps the client within its bound, whatever happens to purges. */
    private void withoutPurges() {
        if (isPlanted) {
            front.rule(ProxyRules.demandsDropped());
        }
        pause(1.5);
        passer.read(object);
        purges.put(world.path(), ProxyRules.swallowed());
        write();
        pause(1.1);
        tab.reload();
        tab.read(object);
    }

    private void deletedAndInsertedAgain() {
        if (isPlanted) {
            front.rule(ProxyRules.versionsAsTags());
        }
        tab.reload();
        tab.read(object);
        author.write(WriteMode.REPLACE, group, object, true);
        write();
        pause(1.1);
        tab.reload();
        tab.read(object);
    }

    /** The filter's answer states the delay of purges. */
    private void purgesLate() {
        if (isPlanted) {
            front.rule(ProxyRules.purgesPraised());
        }
        pause(1.5);
        passer.read(object);
        purges.put(world.path(), ProxyRules.cut());
        write();
        pause(3.1);
        tab.reload();
        tab.read(object);
        purges.put(world.path(), Proxy.Rule.FORWARD);
    }

    private void copyNearby() {
        if (isPlanted) {
            front.rule(ProxyRules.copiesKept());
        }
        pause(2.5);
        tab.reload();
        tab.read(object);
        write();
        pause(3.1);
        tab.reload();
        tab.read(object);
    }

    /** Varnish has the old result, and the answer to the write says that it is current. */
    private void resultOfAnOwnWrite() {
        if (isPlanted) {
            front.rule(ProxyRules.resultsPraised());
        }
        pause(1.5);
        // in all its spellings
        IntStream.range(0, 10).forEach(i -> passer.read(group.query()));
        purges.put(world.path(), ProxyRules.queriesSwallowed());
        tab.reload();
        tab.write(WriteMode.REPLACE);
    }

    @Override
    public void close() {
        front.close();
        writeProxy.close();
    }
}
