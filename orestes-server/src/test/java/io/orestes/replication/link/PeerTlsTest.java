package io.orestes.replication.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.junit.jupiter.api.Test;

/** The authority that all servers of a group derive from their secret. */
final class PeerTlsTest {

    private static final byte[] SECRET = "secret".getBytes(StandardCharsets.UTF_8);

    @Test
    void certificate_oneSecret_isTheSameForAllServers() throws GeneralSecurityException, IOException {
        PublicKey one = new GroupCertificateAuthority(SECRET).certificate().getPublicKey();
        PublicKey other = new GroupCertificateAuthority(SECRET).certificate().getPublicKey();
        PublicKey stranger = new GroupCertificateAuthority("guessed".getBytes(StandardCharsets.UTF_8))
                .certificate()
                .getPublicKey();

        assertThat(one).isEqualTo(other).isNotEqualTo(stranger);
    }

    /** Servers of different versions must derive the same key. */
    @Test
    void certificate_knownSecret_isTheKnownKey() throws GeneralSecurityException, IOException {
        PublicKey key = new GroupCertificateAuthority(SECRET).certificate().getPublicKey();
        byte[] point = SubjectPublicKeyInfo.getInstance(key.getEncoded())
                .getPublicKeyData()
                .getOctets();

        assertThat(HexFormat.of().formatHex(point))
                .isEqualTo("04f536ed9c3645b6387071796f5fe952cd9a68a61a66ea8f74596a45f8dd958250"
                        + "50d8db3b4038f166368bc2b019f318b070519532ccfad267028ff8f607671482");
    }

    /** Clocks of servers need not agree. */
    @Test
    void issue_anyTime_isValidAndSigned() throws GeneralSecurityException, IOException {
        GroupCertificateAuthority authority = new GroupCertificateAuthority(SECRET);
        PublicKey key = KeyPairGenerator.getInstance("EC").generateKeyPair().getPublic();

        X509Certificate certificate = authority.issue(key);

        certificate.verify(authority.certificate().getPublicKey());
        certificate.checkValidity(Date.from(Instant.parse("1990-01-01T00:00:00Z")));
        certificate.checkValidity(Date.from(Instant.parse("2990-01-01T00:00:00Z")));
        assertThat(certificate.getPublicKey()).isEqualTo(key);
        assertThat(certificate.getBasicConstraints()).as("may sign others").isEqualTo(-1);
    }
}
