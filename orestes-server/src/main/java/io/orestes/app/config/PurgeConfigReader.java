package io.orestes.app.config;

import io.orestes.caching.purge.CdnTarget;
import io.orestes.caching.purge.PurgeConfig;
import io.orestes.caching.purge.PurgeTarget;
import io.orestes.caching.purge.VarnishTarget;
import io.orestes.config.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The reader of the configuration keys below {@code caching.purge}: which shared caches to purge,
 * and how.
 */
final class PurgeConfigReader {

    private static final String CDN = "caching.purge.cdn.";

    private PurgeConfigReader() {}

    static PurgeConfig read(Settings in) {
        PurgeConfig standard = PurgeConfig.NONE;
        List<VarnishTarget> varnishes = varnishes(in);
        String secret = in.text("caching.purge.secret", "");
        if (!PurgeConfig.isSecret(secret) || (secret.isEmpty() && !varnishes.isEmpty())) {
            in.reject("caching.purge.secret", "has to be visible ASCII, and given if there are targets");
        }
        return new PurgeConfig(
                Stream.<PurgeTarget>concat(varnishes.stream(), cdn(in).stream()).toList(),
                PurgeConfig.isSecret(secret) ? secret : "",
                in.duration("caching.purge.deadline", standard.deadline(), Duration.ofMillis(1)),
                in.duration("caching.purge.again", standard.repetitionDelay(), PurgeConfig.MIN_REPETITION_DELAY),
                in.count("caching.purge.backlog", standard.backlog(), 1, 10_000_000),
                in.count("caching.purge.spellings", standard.maxUrlVariants(), 0, 10_000_000));
    }

    private static List<VarnishTarget> varnishes(Settings in) {
        List<Optional<VarnishTarget>> targets = in.text("caching.purge.targets").stream()
                .flatMap(list -> Stream.of(list.split(",")))
                .map(String::strip)
                .map(VarnishTarget::parse)
                .toList();
        if (targets.stream().anyMatch(Optional::isEmpty)) {
            in.reject("caching.purge.targets", "is no list of base URLs such as http://127.0.0.1:8090");
        }
        return targets.stream().flatMap(Optional::stream).distinct().toList();
    }

    private static Optional<CdnTarget> cdn(Settings in) {
        String method = checked(in, "method", "POST", CdnTarget::isToken);
        String keysHeader = checked(in, "keys-header", "Surrogate-Key", CdnTarget::isToken);
        String tokenHeader = checked(in, "token-header", "Authorization", CdnTarget::isToken);
        String token = checked(in, "token", "", CdnTarget::isValue);
        int batch = in.count(CDN + "batch", CdnTarget.MAX_BATCH_SIZE, 1, CdnTarget.MAX_BATCH_SIZE);
        String authorities = authorities(in);
        return url(in).map(url -> new CdnTarget(url, method, keysHeader, tokenHeader, token, batch, authorities));
    }

    /**
     * Reads the certificates. A wrong file is an error at the start, because a server that trusts
     * none later would purge nothing.
     */
    private static String authorities(Settings in) {
        String file = in.text(CDN + "ca", "");
        if (file.isEmpty()) {
            return file;
        }
        try (InputStream pem = Files.newInputStream(Path.of(file))) {
            if (!CertificateFactory.getInstance("X.509")
                    .generateCertificates(pem)
                    .isEmpty()) {
                return file;
            }
        } catch (IOException | CertificateException | InvalidPathException unreadable) {
            // The rejection follows below.
        }
        in.reject(CDN + "ca", "is no readable PEM file with certificates");
        return "";
    }

    private static Optional<URI> url(Settings in) {
        Optional<String> text = in.text(CDN + "url");
        Optional<URI> url = text.flatMap(CdnTarget::parse);
        if (text.isPresent() && url.isEmpty()) {
            in.reject(CDN + "url", "is no URL of http or https");
        }
        return url;
    }

    private static String checked(Settings in, String name, String fallback, Predicate<String> isGood) {
        String text = in.text(CDN + name, fallback);
        if (!isGood.test(text)) {
            in.reject(CDN + name, "cannot be sent by HTTP");
            return fallback;
        }
        return text;
    }
}
