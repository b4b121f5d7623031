package io.orestes.bench.product;

import io.orestes.auth.token.Authenticator;
import io.orestes.auth.token.Caller;
import io.orestes.auth.token.TokenService;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Samples;
import io.orestes.model.ObjectRef;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Authentication of requests with a token, in this process; once a second the roles are read anew.
 */
public final class TokenBenchmark implements Benchmark {

    private static final int ROUNDS = 7;
    private static final int CHECKS = 200_000;

    @Override
    public String group() {
        return "product";
    }

    @Override
    public List<String> ids() {
        return List.of("token-check-us");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException {
        BenchmarkEnvironment.say("token-check-us");
        Vertx vertx = Vertx.vertx();
        EmbeddedObjectStore store = EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(lab.folder("tokens")));
        ObjectRef user = new ObjectRef("User", "5f0c1d9e-7a42-4c1b-9b0e-3d2a6f8e1c77");
        var ignored = await(store.insert(user, new BsonDocument("username", new BsonString("ann"))));
        TokenService tokens = new TokenService(new byte[32], Duration.ofDays(30), InstantSource.system());
        report.accept(measure(new Authenticator(tokens, store), "BAT " + tokens.issue(user)));
        await(store.close());
        await(vertx.close());
    }

    private static Figure measure(Authenticator authenticator, String header) {
        Samples micros = new Samples();
        double warmUp = microsPerCheck(authenticator, header);
        for (int round = 0; round < ROUNDS; round++) {
            micros.add(microsPerCheck(authenticator, header));
        }
        String against = String.format("cold %.1f µs; signature, expiry, credential and roles", warmUp);
        return new Figure("token-check-us", micros.median(), "µs", Goal.atMost(20), against);
    }

    private static double microsPerCheck(Authenticator authenticator, String header) {
        long begin = System.nanoTime();
        for (int i = 0; i < CHECKS; i++) {
            Future<Caller> caller = authenticator.caller(header);
            if (await(caller).principal().isAnonymous()) {
                throw new IllegalStateException("The token was refused");
            }
        }
        return (System.nanoTime() - begin) / 1000.0 / CHECKS;
    }

    private static <T> T await(Future<T> future) {
        return future.succeeded()
                ? future.result()
                : future.toCompletionStage().toCompletableFuture().join();
    }
}
