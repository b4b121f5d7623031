package io.orestes.replication.link;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.TBSCertificate;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V3TBSCertificateGenerator;
import org.bouncycastle.asn1.x9.ECNamedCurveTable;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.params.HKDFParameters;

/**
 * The certificate authority of a group, which every server makes in its memory from the secret that
 * all share. Its P-256 key pair is derived from the secret by HKDF (RFC 5869), so all servers make
 * the same one, and nobody else can.
 */
final class GroupCertificateAuthority {

    /** The purpose of the derived key; no other key is derived with that label. */
    private static final String LABEL = "orestes group certificate authority";

    private static final String CURVE = "secp256r1";
    private static final AlgorithmIdentifier SIGNATURE = new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);
    private static final X500Name NAME = new X500Name("CN=Orestes group");
    private static final X500Name SERVER = new X500Name("CN=Orestes server");
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Bytes of key material: 16 more than the order has, so that no scalar is more likely. */
    private static final int SEED_BYTES = 48;

    private static final int SERIAL_BITS = 64;

    /**
     * The validity of certificates is unlimited, so no server needs the right time. A certificate
     * ends with the process, which has its private key in memory only.
     */
    private static final Time NOT_BEFORE = new Time(Date.from(Instant.EPOCH));

    /** The value for "no well-defined expiration date" of RFC 5280 §4.1.2.5. */
    private static final Time NOT_AFTER = new Time(Date.from(Instant.parse("9999-12-31T23:59:59Z")));

    private final PrivateKey privateKey;
    private final PublicKey publicKey;

    /** @param secret shared secret of all servers of the group */
    GroupCertificateAuthority(byte[] secret) throws GeneralSecurityException {
        ECParameterSpec curve = curve();
        BigInteger scalar = scalar(secret, curve.getOrder());
        KeyFactory keys = KeyFactory.getInstance("EC");
        this.privateKey = keys.generatePrivate(new ECPrivateKeySpec(scalar, curve));
        this.publicKey = keys.generatePublic(new ECPublicKeySpec(point(scalar), curve));
    }

    /** Returns the certificate of the authority, the only anchor of trust between its servers. */
    X509Certificate certificate() throws GeneralSecurityException, IOException {
        return sign(NAME, publicKey, true);
    }

    /** Issues a certificate for the key of a server. It names no host and no member. */
    X509Certificate issue(PublicKey key) throws GeneralSecurityException, IOException {
        return sign(SERVER, key, false);
    }

    private X509Certificate sign(X500Name subject, PublicKey key, boolean isAuthority)
            throws GeneralSecurityException, IOException {
        TBSCertificate content = content(subject, key, isAuthority);
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(privateKey);
        signature.update(content.getEncoded(ASN1Encoding.DER));
        DERSequence signed =
                new DERSequence(new ASN1Encodable[] {content, SIGNATURE, new DERBitString(signature.sign())});
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(signed.getEncoded(ASN1Encoding.DER)));
    }

    private static TBSCertificate content(X500Name subject, PublicKey key, boolean isAuthority) throws IOException {
        Extension constraints = Extension.create(Extension.basicConstraints, true, new BasicConstraints(isAuthority));
        V3TBSCertificateGenerator content = new V3TBSCertificateGenerator();
        content.setSerialNumber(new ASN1Integer(new BigInteger(SERIAL_BITS, RANDOM).add(BigInteger.ONE)));
        content.setSignature(SIGNATURE);
        content.setIssuer(NAME);
        content.setSubject(subject);
        content.setStartDate(NOT_BEFORE);
        content.setEndDate(NOT_AFTER);
        content.setSubjectPublicKeyInfo(SubjectPublicKeyInfo.getInstance(key.getEncoded()));
        content.setExtensions(new Extensions(constraints));
        return content.generateTBSCertificate();
    }

    private static ECParameterSpec curve() throws GeneralSecurityException {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec(CURVE));
        return parameters.getParameterSpec(ECParameterSpec.class);
    }

    /** Derives a private key by extra random bits (FIPS 186-5 A.2.1) from the secret. */
    private static BigInteger scalar(byte[] secret, BigInteger order) {
        HKDFBytesGenerator hkdf = new HKDFBytesGenerator(new SHA256Digest());
        hkdf.init(new HKDFParameters(secret, null, LABEL.getBytes(StandardCharsets.US_ASCII)));
        byte[] seed = new byte[SEED_BYTES];
        int unused = hkdf.generateBytes(seed, 0, SEED_BYTES);
        return new BigInteger(1, seed).mod(order.subtract(BigInteger.ONE)).add(BigInteger.ONE);
    }

    private static ECPoint point(BigInteger scalar) {
        var point = ECNamedCurveTable.getByName(CURVE).getG().multiply(scalar).normalize();
        return new ECPoint(
                point.getAffineXCoord().toBigInteger(), point.getAffineYCoord().toBigInteger());
    }
}
