package io.orestes.replication;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.model.VersionStamp;
import io.orestes.caching.ttl.Ttls;
import io.orestes.model.ObjectRef;
import io.orestes.model.Tombstone;
import io.orestes.replication.TestGroup.TestServer;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads through some servers, writes through others, while members enter and are evicted. After
 * each acknowledged write, every current server has to report every copy of an older state as
 * stale.
 */
final class GroupCoherenceTest {

    private static final int KEYS = 4;
    private static final int WRITES = 150;
    private static final Ttls TTLS = new Ttls(3000, 3000);

    /** State of the store: a version for each key. */
    private final AtomicIntegerArray store = new AtomicIntegerArray(KEYS);

    /** Copies that some server has served. */
    private final List<Copy> copies = new CopyOnWriteArrayList<>();

    private volatile boolean isOver;

    private record Copy(int key, int version) {}

    @Test
    void written_anyServer_everyOlderCopyIsReportedAsStaleByAll() throws Exception {
        try (TestGroup servers = new TestGroup(InstantSource.system())) {
            List<TestServer> members = List.of(servers.enter(), servers.enter(), servers.enter());
            members.forEach(member -> member.caches.replica().clearLocally());
            run(members, new Random(1), () -> true);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4})
    void written_membersAreEvicted_everyOlderCopyIsReportedAsStaleByAll(long seed) throws Exception {
        try (TestGroup servers = new TestGroup(InstantSource.system())) {
            List<TestServer> members = List.of(servers.enter(), servers.enter(), servers.enter());
            members.forEach(member -> member.caches.replica().clearLocally());
            Random random = new Random(seed);
            run(members, random, () -> {
                TestServer evicting = members.get(0);
                TestServer evicted = members.get(1 + random.nextInt(2));
                if (evicted.group().isCurrent()) {
                    await(evicting.coordinator.evict(evicted.self()).otherwiseEmpty());
                }
                return true;
            });
        }
    }

    private void run(List<TestServer> members, Random random, Callable<Boolean> disturbance) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(members.size() * 2 + 1);
        try {
            members.forEach(member -> {
                Random reads = new Random(random.nextLong());
                threads.execute(() -> readUntilStopped(member, reads));
            });
            List<Future<Boolean>> ends = members.stream()
                    .map(member -> writes(members, member, new Random(random.nextLong())))
                    .map(threads::submit)
                    .toList();
            for (int times = 0; times < 5; times++) {
                assertThat(threads.submit(disturbance).get()).isTrue();
            }
            for (Future<Boolean> end : ends) {
                assertThat(end.get()).isTrue();
            }
        } finally {
            isOver = true;
            threads.shutdownNow();
        }
    }

    private void readUntilStopped(TestServer reader, Random random) {
        while (!isOver) {
            read(reader, random);
        }
    }

    private Callable<Boolean> writes(List<TestServer> members, TestServer writer, Random random) {
        return () -> {
            for (int count = 0; count < WRITES; count++) {
                int key = random.nextInt(KEYS);
                int version = write(writer, key);
                if (version > 0) {
                    requireStale(members, key, version);
                }
            }
            return true;
        };
    }

    private static ObjectRef ref(int key) {
        return new ObjectRef("Todo", Integer.toString(key));
    }

    /** Returns the acknowledged version; 0 if the write failed. */
    private int write(TestServer writer, int key) {
        if (!writer.group().isCurrent()) {
            return 0;
        }
        int version = store.incrementAndGet(key);
        Tombstone written = new Tombstone(ref(key), new VersionStamp(1, version));
        var answered = writer.group().replicate(written, writer.announce(written));
        return await(answered.map(version).otherwise(0));
    }

    private void read(TestServer reader, Random random) {
        int key = random.nextInt(KEYS);
        String id = ref(key).id();
        long ticket = reader.caches.reads().issueTicket(id);
        int version = store.get(key);
        if (await(reader.caches.reads().admit(id, ticket, TTLS))) {
            copies.add(new Copy(key, version));
        }
    }

    private void requireStale(List<TestServer> members, int key, int version) {
        boolean isOldCopyAround = copies.stream().anyMatch(copy -> copy.key == key && copy.version < version);
        for (TestServer member : members) {
            if (isOldCopyAround && member.group().isCurrent()) {
                boolean isStale = member.caches.staleKeys().snapshot().filter().contains(ref(key).id());
                assertThat(isStale || !member.group().isCurrent())
                        .as("version %d of %d was answered", version, key)
                        .isTrue();
            }
        }
    }
}
