package io.orestes.migrate;

import io.orestes.json.JsonReader;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The folder of a schema under version control: class descriptors and named migrations. {@code
 * classes/<Class>.json} is one descriptor each. {@code migrations/<name>.json} are changes that no
 * comparison detects, in the order of their names.
 */
final class SchemaFolder {

    private static final String JSON = ".json";

    private final Path classes;
    private final Path migrations;

    SchemaFolder(Path folder) {
        this.classes = folder.resolve("classes");
        this.migrations = folder.resolve("migrations");
    }

    /**
     * Returns the descriptors, ordered by file name; fails with {@code BAD_REQUEST} if there are
     * none.
     */
    BsonArray descriptors() throws IOException {
        BsonArray descriptors = new BsonArray();
        for (Path file : files(classes)) {
            descriptors.add(read(file));
        }
        if (descriptors.isEmpty()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "There are no classes in " + classes);
        }
        return descriptors;
    }

    /** Writes one file per class and deletes those of dropped classes. */
    void write(BsonArray descriptors) throws IOException {
        Files.createDirectories(classes);
        Set<Path> written = new HashSet<>();
        for (BsonValue descriptor : descriptors) {
            String ref = descriptor.asDocument().getString("class").getValue();
            Path file = classes.resolve(ref.substring("/db/".length()) + JSON);
            Files.writeString(file, PrettyJson.print(descriptor), StandardCharsets.UTF_8);
            written.add(file);
        }
        for (Path file : files(classes)) {
            if (!written.contains(file)) {
                Files.delete(file);
            }
        }
    }

    List<Migration> migrations() throws IOException {
        return files(migrations).stream().map(SchemaFolder::migration).toList();
    }

    private static Migration migration(Path file) {
        String name = file.getFileName().toString();
        BsonValue changes = read(file).asDocument().get("changes", new BsonDocument());
        if (!changes.isArray()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, file + " has no array changes");
        }
        return new Migration(name.substring(0, name.length() - JSON.length()), changes.asArray());
    }

    private static List<Path> files(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(JSON)).sorted().toList();
        }
    }

    private static BsonValue read(Path file) {
        try {
            BsonValue value = JsonReader.read(Files.readAllBytes(file));
            if (!value.isDocument()) {
                throw new ApiException(ErrorCode.BAD_REQUEST, "not an object");
            }
            return value;
        } catch (ApiException | IOException malformed) {
            throw new ApiException(ErrorCode.BAD_REQUEST, file + ": " + malformed.getMessage());
        }
    }

    /**
     * Changes that are made once.
     *
     * @param name name under which the server records them
     */
    record Migration(String name, BsonArray changes) {}
}
