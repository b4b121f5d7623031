package io.orestes.app.config;

import io.orestes.config.EffectiveSetting;
import io.orestes.config.Settings;
import io.orestes.json.JsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The report of all configuration settings for admins: descriptions from {@code schema/config.json}
 * and effective values. The report leaves out secrets, so that code which only passes it on never
 * has them.
 */
final class SettingsReport {

    private static final String DESCRIPTION = "/orestes-schema/config.json";

    /** Credentials of a URL, which may contain a secret. */
    private static final Pattern CREDENTIALS = Pattern.compile("(?<=://)[^/]*@");

    /** Parts of a URL behind the host, all of which may be secret. */
    private static final Pattern PLACE = Pattern.compile("(?<=://)([^/?#]*).*");

    private static final String CDN_URL = "caching.purge.cdn.url";

    private SettingsReport() {}

    /**
     * Returns the report.
     *
     * @param in the settings after every key was read
     * @param mongo address of MongoDB without credentials; empty for none
     */
    static List<EffectiveSetting> of(Settings in, String mongo) {
        return JsonReader.read(description()).asArray().stream()
                .map(BsonValue::asDocument)
                .map(described -> setting(described, in, mongo))
                .toList();
    }

    private static EffectiveSetting setting(BsonDocument described, Settings in, String mongo) {
        String key = text(described, "key");
        boolean isSecret = described.getBoolean("secret", BsonBoolean.FALSE).getValue();
        return new EffectiveSetting(
                key,
                text(described, "type"),
                text(described, "default"),
                text(described, "description"),
                in.source(key),
                isSecret,
                isSecret ? null : key.equals("mongo") ? mongo : shown(key, in.value(key)));
    }

    private static String shown(String key, String value) {
        String shown = withoutCredentials(value);
        return key.equals(CDN_URL) ? PLACE.matcher(shown).replaceFirst("$1/…") : shown;
    }

    private static String withoutCredentials(String value) {
        return CREDENTIALS.matcher(value).replaceAll("…");
    }

    private static String text(BsonDocument described, String member) {
        return described.getString(member).getValue();
    }

    private static byte[] description() {
        try (InputStream in = Objects.requireNonNull(SettingsReport.class.getResourceAsStream(DESCRIPTION))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
