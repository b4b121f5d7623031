package io.orestes.live;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.orestes.auth.token.TokenService;
import io.orestes.model.ErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A live query for which a write is too expensive ends, without an effect on others. */
final class FailingQueriesTest {

    private static final Filter EXPENSIVE = Filter.parse(BsonDocument.parse("{text: {$regex: '[ab]{900}c'}}"));

    private final LiveQueryFixture scene;

    FailingQueriesTest(@TempDir Path folder) {
        scene = new LiveQueryFixture(
                folder, new TokenService(new byte[32], Duration.ofDays(1), InstantSource.system()));
    }

    @AfterEach
    void tearDown() {
        scene.close();
    }

    @Test
    void write_tooExpensiveForALiveQuery_endsItAlone() {
        RecordingSubscriber expensive = new RecordingSubscriber();
        RecordingSubscriber cheap = new RecordingSubscriber();
        await(scene.open(EXPENSIVE, expensive));
        await(scene.open(Filter.ALL, cheap));

        scene.write("a", text("a".repeat(100_000)));
        scene.write("b", text("short"));

        assertThat(expensive.await(2)).containsExactly("result", "error 468");
        assertThat(cheap.await(3)).containsExactly("result", "add a", "add b");
        assertThat(scene.matching.activeQueries()).isEqualTo(1);
        assertThat(scene.live.size()).isEqualTo(1);
    }

    @Test
    void open_againAfterAFailure_isRefusedUntilTheObjectIsReplaced() {
        await(scene.open(EXPENSIVE, new RecordingSubscriber()));
        scene.write("a", text("a".repeat(100_000)));

        assertThat(failureOf(scene.open(EXPENSIVE, new RecordingSubscriber())).code())
                .isEqualTo(ErrorCode.QUERY_NOT_SUPPORTED);

        scene.write("a", text("short"));
        RecordingSubscriber again = new RecordingSubscriber();
        await(scene.open(EXPENSIVE, again));
        scene.write("b", text("a".repeat(900) + "c"));
        assertThat(again.await(2)).containsExactly("result", "add b");
    }

    private static BsonDocument text(String text) {
        return new BsonDocument("text", new BsonString(text));
    }
}
