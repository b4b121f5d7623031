package io.orestes.store.mongo.probe;

import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The product and version of a server that speaks MongoDB's protocol, for display only. All such
 * servers report a version of MongoDB, for the sake of drivers, and most also report their own
 * name. One that reports no name, and not MongoDB's build details either, is called a server like
 * MongoDB. The capabilities of a server are probed instead.
 */
final class ServerProductName {

    private static final String VERSION = "version";
    private static final String UNKNOWN = "of no known version";

    private ServerProductName() {}

    /**
     * Returns its name and version, e.g. {@code MongoDB 6.0.5}.
     *
     * @param build response to {@code buildInfo}
     * @param hello response to {@code hello}
     */
    static String of(BsonDocument build, BsonDocument hello) {
        String version = text(build, VERSION).orElse(UNKNOWN);
        return text(build, "psmdbVersion")
                .map(own -> "Percona Server for MongoDB " + own)
                .or(() -> ferret(build).map(own -> "FerretDB " + own + ", like MongoDB " + version))
                .or(() -> documentDb(hello).map(own -> "DocumentDB " + own + ", like MongoDB " + version))
                .orElse((isMongo(build) ? "MongoDB " : "a server like MongoDB ") + version);
    }

    private static Optional<String> ferret(BsonDocument build) {
        return text(build, "ferretdbVersion").or(() -> text(part(build, "ferretdb"), VERSION));
    }

    private static Optional<String> documentDb(BsonDocument hello) {
        BsonDocument own = part(hello, "internal");
        return first(own, "documentdb_versions").or(() -> first(own, "cosmos_versions"));
    }

    /** True for MongoDB itself: other products do not report their allocator. */
    private static boolean isMongo(BsonDocument build) {
        return build.containsKey("allocator") && build.containsKey("gitVersion");
    }

    private static Optional<String> first(BsonDocument document, String name) {
        BsonValue value = document.get(name, BsonNull.VALUE);
        BsonArray values = value.isArray() ? value.asArray() : new BsonArray();
        return values.stream()
                .filter(BsonValue::isString)
                .map(each -> each.asString().getValue())
                .findFirst();
    }

    private static BsonDocument part(BsonDocument document, String name) {
        BsonValue value = document.get(name, BsonNull.VALUE);
        return value.isDocument() ? value.asDocument() : new BsonDocument();
    }

    private static Optional<String> text(BsonDocument document, String name) {
        return Optional.of(document.get(name, BsonNull.VALUE))
                .filter(BsonValue::isString)
                .map(BsonValue::asString)
                .map(BsonString::getValue);
    }
}
