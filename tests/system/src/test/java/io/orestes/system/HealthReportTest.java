package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.process.Waiting;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code /-/health}: what admins see of a single server. */
@ExtendWith(SharedBackend.class)
final class HealthReportTest {

    private final Client client;
    private final Client root;

    HealthReportTest(Backend backend) {
        this.client = backend.anonymous();
        this.root = backend.root();
    }

    @Test
    void report_ofASingleServer_hasStoreCoordinatorCachesAndQueues() {
        BsonDocument report = promptReport();

        assertThat(report.getBoolean("ready").getValue()).isTrue();
        assertThat(report.getString("version").getValue()).isNotEmpty();
        BsonDocument store = report.getDocument("store");
        assertThat(store.getNumber("answerMs").doubleValue()).isNotNegative();
        assertThat(store.getArray("missing")).isNotNull();
        assertThat(report.getDocument("purges").getArray("targets")).isEmpty();
        BsonDocument queues = report.getDocument("queues");
        assertThat(queues.getNumber("passwords").intValue()).isBetween(0, 128);
        assertThat(queues.getNumber("workersMs").doubleValue()).isNotNegative();
    }

    @Test
    void report_ofASingleServer_namesItAsTheOnlyOneWithoutALease() {
        BsonDocument coordinator = report().getDocument("coordinator");

        assertThat(coordinator.getString("kind").getValue()).isEqualTo("process");
        assertThat(coordinator.getBoolean("reachable").getValue()).isTrue();
        assertThat(coordinator.getBoolean("current").getValue()).isTrue();
        assertThat(coordinator.isNull("leaseMs")).isTrue();
        assertThat(coordinator.getArray("servers")).hasSize(1);
        BsonDocument self = coordinator.getArray("servers").get(0).asDocument();
        assertThat(self.getBoolean("self").getValue()).isTrue();
        assertThat(self.isNull("link")).isTrue();
    }

    @Test
    void report_toOthers_isRefused() {
        assertThat(client.get("/-/health").status()).isEqualTo(466);
    }

    /**
     * Returns a report in which everything is reachable and on time, which holds except for moments
     * of a busy machine.
     */
    private BsonDocument promptReport() {
        return Waiting.forAnswer("nothing is late", this::report, HealthReportTest::isPrompt);
    }

    private static boolean isPrompt(BsonDocument report) {
        return report.getDocument("store").getBoolean("reachable").getValue()
                && !report.getDocument("queues").getBoolean("matchingLate").getValue();
    }

    private BsonDocument report() {
        Answer answer = root.get("/-/health");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.object();
    }
}
