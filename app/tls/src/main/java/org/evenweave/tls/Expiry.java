package org.evenweave.tls;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Warns of certificates that expire soon. */
public final class Expiry {
  /** How long before its end a certificate is warned of, at most. */
  public static final Duration WARNING = Duration.ofDays(30);

  /** Of a shorter lifetime the last third: a certificate of a week is not warned of at once. */
  private static final int PARTS_OF_LIFETIME = 3;

  private Expiry() {}

  /**
   * A sentence on each certificate that {@link #warning} warns of: those of a controller, of its
   * authorities, and of its peers.
   *
   * @param peers the certificates that they have shown, by whose each is
   */
  public static List<String> warnings(
      TlsIdentity controller, Map<String, X509Certificate> peers, Instant now) {
    Map<String, X509Certificate> all = new LinkedHashMap<>();
    List<X509Certificate> own = controller.certificates();
    String folder = " in " + controller.folder();
    all.put("the controller" + folder, own.get(0));
    for (X509Certificate authority : own.subList(1, own.size())) {
      all.put("the authority \"" + authority.getSubjectX500Principal() + "\"" + folder, authority);
    }
    all.putAll(peers);
    List<String> warnings = new ArrayList<>();
    all.forEach((whose, each) -> warning(whose, each, now).ifPresent(warnings::add));
    return warnings;
  }

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
