package io.orestes.histories.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** Bugs that the product could have. Each replaces one line of it. */
public enum PlantedBug {
    /** Commits check the versions of written objects only. */
    READS_NOT_VALIDATED(
            "orestes-server/src/main/java/io/orestes/transaction/CommitRequest.java",
            "return new CommitRequest(reads, writes.inOrder(), digest(members));",
            "return new CommitRequest(List.of(), writes.inOrder(), digest(members));"),
    /** The command of a replacement or an update names the object only, and no state of it. */
    EXCHANGE_OF_ANY_STATE(
            "orestes-server/src/main/java/io/orestes/store/mongo/write/WriteCommands.java",
            "DocumentIds.state(replacement.before()),",
            "DocumentIds.only(replacement.ref()),"),
    /** A deletion is done although MongoDB has found nothing to delete. */
    DELETION_OF_NOTHING(
            "orestes-server/src/main/java/io/orestes/store/mongo/write/WriteCommands.java",
            """
            deleted.map(last -> deletion.outcome())
                                        .orElseThrow(RetriableWriteException::byConcurrentWrite)""",
            "deletion.outcome()"),
    /** The condition of a write is checked on the cached state only, and not on the newest one. */
    CONDITION_OF_REMEMBERED_STATE(
            "orestes-server/src/main/java/io/orestes/store/mongo/write/OptimisticWriter.java",
            "guard.check(write.ref(), state == null ? null : state.object());",
            ""),
    /**
     * A life begins at the time of the server's clock, which may be earlier than the end of the
     * last life.
     */
    LIFE_BEGINS_IN_THE_LAST(
            "orestes-server/src/main/java/io/orestes/store/mongo/document/TombstoneCollection.java",
            "tombstone -> tombstone.getDateTime(END).getValue()",
            "tombstone -> 0L");

    private final String source;
    private final String right;
    private final String wrong;

    PlantedBug(String source, String right, String wrong) {
        this.source = source;
        this.right = right;
        this.wrong = wrong;
    }

    /**
     * Compiles the classes with the bug into an empty folder, which it returns; fails if the
     * product's line has changed.
     */
    Path compile(Path root, Path product, Path folder) throws IOException {
        Path original = root.resolve(source);
        String text = Files.readString(original);
        if (text.split(Pattern.quote(right), -1).length != 2) {
            throw new AssertionError("Not there exactly once, in " + original + ": " + right);
        }
        Path changed = folder.resolve(original.getFileName());
        Files.writeString(changed, text.replace(right, wrong));
        List<String> arguments = List.of(
                "-proc:none", "-nowarn", "-cp", product.toString(), "-d", folder.toString(), changed.toString());
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(System.in, System.out, System.out, arguments.toArray(String[]::new));
        if (exit != 0) {
            throw new AssertionError(this + " cannot be compiled");
        }
        return folder;
    }
}
