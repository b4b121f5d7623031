package io.orestes.coherence;

import io.orestes.support.process.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/**
 * The rule of the proxies without a bug: records messages, and delays some responses to Varnish.
 */
final class TrafficRule {

    private final RunContext world;
    private final Random dice;
    private final double slow;

    /**
     * @param slow share of fetches whose response is delayed: mostly less than what Varnish
     *     tolerates
     */
    TrafficRule(RunContext world, double slow, long seed) {
        this.world = world;
        this.slow = slow;
        this.dice = new Random(seed);
    }

    Message fetch(Message request, HttpConnection upstream) throws IOException {
        Message response = upstream.send(request);
        if (request.method().equals("GET")) {
            world.at(request.target()).ifPresent(resource -> world.journal()
                    .note(
                            resource,
                            "server answers Varnish "
                                    + (response.status() == 304
                                            ? "304"
                                            : resource.print(response.status(), response.body()))
                                    + ", "
                                    + response.header("cache-control").orElse("")));
            hold();
        }
        return response;
    }

    private void hold() {
        double chance = dice.nextDouble();
        if (chance < slow) {
            Waiting.pause(Duration.ofMillis(chance < slow / 8 ? 1000 + dice.nextInt(500) : dice.nextInt(700)));
        }
    }

    Message purge(Message request, HttpConnection upstream) throws IOException {
        world.at(request.target()).ifPresent(resource -> world.journal().note(resource, "purge"));
        return upstream.send(request);
    }
}
