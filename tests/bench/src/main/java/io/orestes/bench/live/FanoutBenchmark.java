package io.orestes.bench.live;

import io.orestes.bench.client.Pipelined;
import io.orestes.bench.harness.BareServer;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * The maximum of messages per second that reach 1,000 subscribers of one query with a 99th
 * percentile below 100 ms, counted from the write. The baseline is a Vert.x handler that pushes
 * messages of equal length to the same client, which shows the capacity of the client. The rate
 * climbs a ladder, both sides on each rung in turn.
 */
public final class FanoutBenchmark implements Benchmark {

    private static final int SUBSCRIBERS = 1000;
    private static final int[] LADDER = {
        20_000, 40_000, 60_000, 82_000, 100_000, 120_000, 150_000, 180_000, 220_000, 270_000, 330_000, 400_000
    };
    private static final int WARM_UP_RATE = 40_000;
    private static final int WARM_UP_SECONDS = 6;
    private static final int SECONDS = 3;

    @Override
    public String group() {
        return "product";
    }

    @Override
    public List<String> ids() {
        return List.of("fanout-1k-msgs");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        BenchmarkEnvironment.say("fanout-1k");
        try (Orestes orestes = Orestes.start(lab);
                BareServer.Handle bare = BareServer.pushing(orestes)) {
            orestes.createClass(LiveRequests.LIVE, LiveRequests.fields());
            try (LiveLoad load = new LiveLoad(orestes.port(), LiveRequests::replace)) {
                subscribe(load, LiveRequests.eventStream());
                LiveLoad.Outcome warm = load.run((double) WARM_UP_RATE / SUBSCRIBERS, WARM_UP_SECONDS);
                int messageBytes = (int) (warm.bytes() / Math.max(1, warm.events()));
                report.accept(climb(load, bare, messageBytes));
            }
        }
    }

    private static void subscribe(LiveLoad load, String request) throws IOException {
        for (int i = 0; i < SUBSCRIBERS; i++) {
            var ignored = load.subscribe(request);
        }
        load.awaitSubscribed(answers -> true);
    }

    private static Figure climb(LiveLoad load, BareServer.Handle bare, int messageBytes) throws IOException {
        try (LiveLoad other =
                new LiveLoad(bare.port(), (number, stamp) -> LiveRequests.padded(number, stamp, messageBytes))) {
            subscribe(other, Pipelined.get(BareServer.EVENTS));
            var ignored = other.run((double) WARM_UP_RATE / SUBSCRIBERS, WARM_UP_SECONDS);
            RateLadder ours = new RateLadder(load, SUBSCRIBERS, SECONDS);
            RateLadder theirs = new RateLadder(other, SUBSCRIBERS, SECONDS);
            for (int rate : LADDER) {
                ours.step((double) rate / SUBSCRIBERS);
                theirs.step((double) rate / SUBSCRIBERS);
            }
            String against = String.format(
                    "bare push %,.0f/s, messages of %,d bytes, p99 %.0f ms",
                    theirs.eventsPerSecond(), messageBytes, ours.p99Millis());
            return new Figure("fanout-1k-msgs", ours.eventsPerSecond(), "messages/s", Goal.atLeast(80_000), against);
        }
    }
}
