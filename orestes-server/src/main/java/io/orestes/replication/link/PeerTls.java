package io.orestes.replication.link;

import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * The mutual TLS 1.3 between the servers of a group, which needs no files and no settings. Each
 * server draws a key pair at its start, and signs a certificate for it as the {@link
 * GroupCertificateAuthority} that its secret yields. Both sides of a connection present such a
 * certificate, and trust nothing else.
 *
 * <p>Host names are not verified. Members are known by identities, which follow in a {@link
 * PeerHello}, and whoever has a certificate of the group may be any member.
 */
public final class PeerTls {

    private static final Set<String> PROTOCOLS = Set.of("TLSv1.3");
    private static final String NO_HOSTNAME_VERIFICATION = "";

    /** The password of a key store that is never written to a file. */
    private static final char[] IN_MEMORY = new char[0];

    private final KeyCertOptions key;
    private final TrustOptions trust;

    private PeerTls(KeyManagerFactory keys, TrustManagerFactory trusted) {
        this.key = KeyCertOptions.wrap(keys);
        this.trust = TrustOptions.wrap(trusted);
    }

    /**
     * Creates the key and the certificate of a server.
     *
     * @param secret shared secret of all servers of the group
     */
    public static PeerTls of(byte[] secret) {
        try {
            GroupCertificateAuthority authority = new GroupCertificateAuthority(secret);
            return new PeerTls(keys(authority), trust(authority.certificate()));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("Every Java platform must support TLS 1.3 with keys on P-256", e);
        }
    }

    /**
     * Returns the TLS engine, which computes handshakes on worker threads. Strangers could keep the
     * event loop of heartbeats busy with them.
     */
    static SSLEngineOptions engine() {
        return new JdkSSLEngineOptions().setUseWorkerThread(true);
    }

    ServerSSLOptions server(Duration handshakeTimeout) {
        return new ServerSSLOptions()
                .setClientAuth(ClientAuth.REQUIRED)
                .setKeyCertOptions(key)
                .setTrustOptions(trust)
                .setEnabledSecureTransportProtocols(PROTOCOLS)
                .setSslHandshakeTimeout(handshakeTimeout.toMillis())
                .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
    }

    ClientSSLOptions client(Duration handshakeTimeout) {
        return new ClientSSLOptions()
                .setHostnameVerificationAlgorithm(NO_HOSTNAME_VERIFICATION)
                .setKeyCertOptions(key)
                .setTrustOptions(trust)
                .setEnabledSecureTransportProtocols(PROTOCOLS)
                .setSslHandshakeTimeout(handshakeTimeout.toMillis())
                .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
    }

    private static KeyManagerFactory keys(GroupCertificateAuthority authority)
            throws GeneralSecurityException, IOException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair pair = generator.generateKeyPair();
        KeyStore store = emptyStore();
        store.setKeyEntry(
                "server", pair.getPrivate(), IN_MEMORY, new Certificate[] {authority.issue(pair.getPublic())});
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(store, IN_MEMORY);
        return factory;
    }

    private static TrustManagerFactory trust(X509Certificate authority) throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        store.setCertificateEntry("group", authority);
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        return factory;
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, IN_MEMORY);
        return store;
    }
}
