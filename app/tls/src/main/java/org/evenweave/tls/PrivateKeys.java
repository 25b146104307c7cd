package org.evenweave.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads private keys, and checks that each belongs to its certificate. TLS itself finds out only
 * when a client connects, and then fails each time.
 */
final class PrivateKeys {
  private static final Pattern PKCS8 =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

  private static final byte[] PROOF = "the same pair".getBytes(StandardCharsets.US_ASCII);

  private PrivateKeys() {}

  /**
   * Reads the key of a certificate.
   *
   * @param key in PEM, PKCS #8, not encrypted
   * @param certificateFile for messages
   * @throws IOException if it cannot be read, or belongs to another certificate
   * @throws GeneralSecurityException if it cannot be used
   */
  static PrivateKey read(Path key, X509Certificate certificate, Path certificateFile)
      throws IOException, GeneralSecurityException {
    if (!Files.isReadable(key)) {
      throw new IOException(key + " does not exist or cannot be read");
    }
    PublicKey certified = certificate.getPublicKey();
    PrivateKey own = parse(key, certified.getAlgorithm());
    if (own == null || !isPair(certified, own)) {
      throw new IOException(key + " is not the private key of " + certificateFile);
    }
    return own;
  }

  /** Null if it is a key of another algorithm. */
  private static PrivateKey parse(Path key, String algorithm)
      throws IOException, GeneralSecurityException {
    Matcher pem = PKCS8.matcher(Files.readString(key, StandardCharsets.ISO_8859_1));
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
