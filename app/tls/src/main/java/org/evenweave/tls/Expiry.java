package org.evenweave.tls;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Warns of certificates that expire soon. */
public final class Expiry {
  /** How long before its end a certificate is warned of, at most. */
  public static final Duration WARNING = Duration.ofDays(30);

  /** Of a shorter lifetime the last third: a certificate of a week is not warned of at once. */
  private static final int PARTS_OF_LIFETIME = 3;

  private Expiry() {}

  /**
   * A sentence on a certificate that expires within {@link #WARNING} and the last third of its
   * lifetime, or has expired.
   *
   * @param whose for the sentence, as in {@code "the controller"}
   */
  public static Optional<String> warning(String whose, X509Certificate certificate, Instant now) {
    Instant end = certificate.getNotAfter().toInstant();
    Duration lifetime = Duration.between(certificate.getNotBefore().toInstant(), end);
    Duration third = lifetime.dividedBy(PARTS_OF_LIFETIME);
    if (end.isAfter(now.plus(third.compareTo(WARNING) < 0 ? third : WARNING))) {
      return Optional.empty();
    }
    String what = "the certificate of " + whose + (end.isAfter(now) ? " expires " : " expired ");
    return Optional.of(
        what + "on " + end + ": renew it (evenweave keys renew), and install the new files");
  }
}
