package io.orestes.store.embedded;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.StoredObject;
import io.orestes.support.Scope;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Kills processes that transfer money between accounts, and checks the sum of the money. */
final class TransferCrashTest {

    private static final int ROUNDS = Scope.rounds(4);

    @RegisterExtension
    static final StoreFixture FIXTURE = new StoreFixture();

    private final Random random = new Random(7);
    private final Map<String, Long> acknowledged = new HashMap<>();

    @Test
    void open_afterKill9AmongCommits_hasEachOfThemWholeOrNotAtAll() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            transferAndKill();

            EmbeddedObjectStore store = FIXTURE.open();
            List<StoredObject> accounts = await(store.scan(TransferWriter.BUCKET, "", 100));
            assertThat(accounts).hasSize(TransferWriter.ACCOUNTS);
            assertThat(accounts.stream().mapToLong(TransferWriter::balance).sum())
                    .isEqualTo(TransferWriter.ACCOUNTS * TransferWriter.BALANCE);
            assertThat(accounts).allSatisfy(account -> assertThat(account.version())
                    .isGreaterThanOrEqualTo(
                            acknowledged.getOrDefault(account.ref().id(), 0L)));
            await(store.close());
        }
        assertThat(acknowledged).isNotEmpty();
    }

    /**
     * Kills a process that transfers. Its lines are the ids and new versions of an acknowledged
     * transfer, and a full stop.
     */
    private void transferAndKill() throws IOException, InterruptedException {
        Process child = start();
        int rest = 100 + random.nextInt(300);
        try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            while (line != null && rest-- > 0) {
                note(line);
                line = lines.readLine();
            }
            child.toHandle().destroyForcibly(); // Process.destroyForcibly would also close the stream we still read
            for (String late = lines.readLine(); late != null; late = lines.readLine()) {
                note(late);
            }
        }
        child.waitFor();
    }

    private void note(String line) {
        String[] words = line.split(" ", -1);
        if (words.length == 5 && words[4].equals(".")) {
            acknowledged.put(words[0], Long.parseLong(words[1]));
            acknowledged.put(words[2], Long.parseLong(words[3]));
        }
    }

    private static Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        TransferWriter.class.getName(),
                        FIXTURE.directory().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
