package io.orestes.caching.purge;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A key for 127.0.0.1 with a self-signed certificate.
 *
 * @param store a PKCS #12 file with both
 * @param pem a file with the certificate
 */
record SelfSignedCertificate(Path store, Path pem) {

    private static final String PASSWORD = "changeit";

    /** Creates a key and certificate with the keytool of the Java runtime. */
    static SelfSignedCertificate in(Path folder) throws Exception {
        Path store = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "double",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=double",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        return new SelfSignedCertificate(store, Files.writeString(folder.resolve("double.pem"), pem(store)));
    }

    private static String pem(Path store) throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        String encoded = Base64.getMimeEncoder()
                .encodeToString(keys.getCertificate("double").getEncoded());
        return "-----BEGIN CERTIFICATE-----\n" + encoded + "\n-----END CERTIFICATE-----\n";
    }

    PfxOptions forServer() {
        return new PfxOptions().setPath(store.toString()).setPassword(PASSWORD);
    }
}
