package org.evenweave.sdd.session;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a private key is that of a certificate. TLS itself finds out only when a client connects,
 * and then fails each time.
 */
final class KeyPairCheck {
  private static final Pattern PKCS8 =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

  private static final byte[] PROOF = "the same pair".getBytes(StandardCharsets.US_ASCII);

  private KeyPairCheck() {}

  /**
   * @param certificate in PEM, the first of the file counts
   * @param key in PEM, PKCS #8
   * @throws IOException if they are no pair
   * @throws GeneralSecurityException if one of them cannot be used
   */
  static void require(File certificate, File key) throws IOException, GeneralSecurityException {
    PublicKey certified;
    try (InputStream in = Files.newInputStream(certificate.toPath())) {
      certified = CertificateFactory.getInstance("X.509").generateCertificate(in).getPublicKey();
    }
    if (!isPair(certified, read(key, certified.getAlgorithm()))) {
      throw new IOException(key + " is not the private key of " + certificate);
    }
  }

  /** Null if it is a key of another algorithm. */
  private static PrivateKey read(File key, String algorithm)
      throws IOException, GeneralSecurityException {
    Matcher pem = PKCS8.matcher(Files.readString(key.toPath(), StandardCharsets.ISO_8859_1));
    if (!pem.find()) {
      throw new InvalidKeySpecException(key + " has no PRIVATE KEY (PKCS #8, not encrypted)");
    }
    byte[] encoded = Base64.getMimeDecoder().decode(pem.group(1));
    try {
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (InvalidKeySpecException e) {
      return null;
    }
  }

  private static boolean isPair(PublicKey certified, PrivateKey own)
      throws GeneralSecurityException {
    if (own == null) {
      return false;
    }
    Signature signature = Signature.getInstance(signatureOf(certified.getAlgorithm()));
    signature.initSign(own);
    signature.update(PROOF);
    byte[] signed = signature.sign();
    signature.initVerify(certified);
    signature.update(PROOF);
    return signature.verify(signed);
  }

  private static String signatureOf(String algorithm) {
    switch (algorithm) {
      case "EC":
        return "SHA256withECDSA";
      case "RSA":
        return "SHA256withRSA";
      default:
        return algorithm; // Ed25519 and Ed448 are signatures of their own.
    }
  }
}
