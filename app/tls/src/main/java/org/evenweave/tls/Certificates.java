package org.evenweave.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** Reads the identity of holders from certificates. */
public final class Certificates {
  /** The scheme of a switch's URI, as ONOS writes its device ids. */
  private static final String SWITCH_SCHEME = "of:";

  private static final Pattern SWITCH_URI = Pattern.compile("of:[0-9a-fA-F]{16}");

  private static final String ROLE_URI = "evenweave:role:";

  /** GeneralName of RFC 5280, section 4.2.1.6. */
  private static final int URI_NAME = 6;

  private Certificates() {}

  /**
   * The certificates of a file.
   *
   * @param pem holds at least one
   * @throws IOException if it cannot be read or holds none; names the file
   */
  public static List<X509Certificate> read(Path pem) throws IOException {
    if (!Files.isReadable(pem)) {
      throw new IOException(pem + " does not exist or cannot be read");
    }
    List<X509Certificate> all = new ArrayList<>();
    try (InputStream in = Files.newInputStream(pem)) {
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        all.add((X509Certificate) each);
      }
    } catch (CertificateException e) {
      throw new IOException(pem + " has no certificate in PEM: " + e.getMessage(), e);
    }
    if (all.isEmpty()) {
      throw new IOException(pem + " has no certificate in PEM");
    }
    return all;
  }

  /** The common name of the subject; empty if there is none. */
  public static Optional<String> commonName(X509Certificate certificate) {
    try {
      for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
        if (part.getType().equalsIgnoreCase("CN")) {
          return Optional.of(String.valueOf(part.getValue()));
        }
      }
    } catch (InvalidNameException e) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  /**
   * The datapath ids of the switches of its holder, of URIs such as {@code of:00000000000000a1}. A
   * machine has one certificate for all its bridges.
   */
  public static Set<Long> datapathIds(X509Certificate certificate) {
    Set<Long> ids = new LinkedHashSet<>();
    for (String uri : uris(certificate)) {
      if (SWITCH_URI.matcher(uri).matches()) {
        ids.add(Long.parseUnsignedLong(uri.substring(SWITCH_SCHEME.length()), 16));
      }
    }
    return ids;
  }

  /** The URI that binds a certificate to a switch. */
  static String switchUri(long datapathId) {
    return SWITCH_SCHEME + String.format(Locale.ROOT, "%016x", datapathId);
  }

  /** The role of the operator who holds it, of a URI such as {@code evenweave:role:read}. */
  public static Optional<String> role(X509Certificate certificate) {
    return uris(certificate).stream()
        .filter(uri -> uri.startsWith(ROLE_URI))
        .map(uri -> uri.substring(ROLE_URI.length()))
        .findFirst();
  }

  /** The URI that gives the holder of a certificate a role. */
  static String roleUri(String role) {
    return ROLE_URI + role;
  }

  /** The SHA-256 hash of a certificate, 64 hex digits in lower case. */
  public static String fingerprint(X509Certificate certificate) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      StringBuilder text = new StringBuilder();
      for (byte octet : hash) {
        text.append(String.format(Locale.ROOT, "%02x", octet));
      }
      return text.toString();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every certificate that was read can be written", e);
    }
  }

  private static List<String> uris(X509Certificate certificate) {
    List<String> uris = new ArrayList<>();
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      if (names != null) {
        for (List<?> name : names) {
          if (name.get(0).equals(URI_NAME)) {
            uris.add(String.valueOf(name.get(1)));
          }
        }
      }
    } catch (CertificateParsingException e) {
      return List.of();
    }
    return uris;
  }
}
