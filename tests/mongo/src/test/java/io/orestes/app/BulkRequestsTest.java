package io.orestes.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.store.mongo.Deployment;
import io.orestes.support.mongo.Mongod;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Objects that one HTTP request inserts reach MongoDB by far fewer commands than there are objects.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BulkRequestsTest {

    /**
     * A command per object would be two or three; how many objects share one depends on how busy
     * the machine is.
     */
    private static final int OBJECTS_PER_COMMAND = 2;

    private final Mongod mongod = Deployment.QUICK_REPLICA_SET.start();
    private RunningServer server;
    private TestRequests root;

    @BeforeAll
    void start(@TempDir Path data) {
        server = RunningServer.start(data, "--mongo", mongod.address(), "--demo", "--root-password", "secret");
        root = TestRequests.root(server);
    }

    @AfterAll
    void stop() {
        server.close();
        mongod.close();
    }

    @Test
    void import_ofTwoThousandNewObjects_isFewCommands() {
        String all = array(2_000, i -> object("i" + i, "imported"));

        HttpResponse<String> first = fewCommands(2_000, () -> root.put("/db/demo.Todo", all));
        HttpResponse<String> again = root.put("/db/demo.Todo", all.replace("imported", "again"));

        assertThat(first.body()).isEqualTo("[]");
        assertThat(again.body()).isEqualTo("[]");
        assertThat(root.get("/db/demo.Todo/i1999").body()).contains("again");
    }

    @Test
    void bulk_ofFiveHundredInsertions_isFewCommands() {
        String insertions = array(500, i -> "{\"insert\":" + object("b" + i, "new") + "}");
        String others = array(500, i -> switch (i % 3) {
            case 0 -> "{\"replace\":" + object("b" + i, "replaced") + "}";
            case 1 -> "{\"update\":{\"$set\":{\"text\":\"updated\"}},\"id\":\"/db/demo.Todo/b" + i + "\"}";
            default -> "{\"delete\":\"/db/demo.Todo/b" + i + "\"}";
        });

        HttpResponse<String> inserted = fewCommands(500, () -> bulk(insertions));
        HttpResponse<String> changed = bulk(others);

        assertStatuses(inserted, i -> 201);
        assertStatuses(changed, i -> i % 3 == 2 ? 204 : 200);
    }

    private HttpResponse<String> bulk(String operations) {
        return root.post("/db/demo.Todo/bulk", "{\"operations\":" + operations + "}");
    }

    private HttpResponse<String> fewCommands(int objects, Supplier<HttpResponse<String>> request) {
        long before = commands();
        HttpResponse<String> answer = request.get();
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(commands() - before).isLessThan(objects / OBJECTS_PER_COMMAND);
        return answer;
    }

    /** Returns the number of commands other than those of the change stream. */
    private long commands() {
        return mongod.commands("insert", "update", "delete", "findAndModify", "find");
    }

    private static void assertStatuses(HttpResponse<String> answer, IntFunction<Integer> expected) {
        var results = BsonDocument.parse(answer.body()).getArray("results");
        assertThat(results).hasSize(500);
        for (int i = 0; i < results.size(); i++) {
            assertThat(results.get(i).asDocument().get("status")).isEqualTo(new BsonInt32(expected.apply(i)));
        }
    }

    private static String array(int count, IntFunction<String> element) {
        return IntStream.range(0, count).mapToObj(element).collect(Collectors.joining(",", "[", "]"));
    }

    private static String object(String key, String text) {
        return "{\"id\":\"/db/demo.Todo/%s\",\"text\":\"%s\"}".formatted(key, text);
    }
}
