package org.evenweave.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Somebody who gets a certificate, and what it says of him. Immutable. */
public final class Participant {
  /** What a certificate is for. */
  public enum Kind {
    CONTROLLER,
    SWITCH,
    OPERATOR,
    /** A host, an edge or a circuit switch: known by its name alone. */
    CLIENT
  }

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,63}");
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  /** GeneralNames of RFC 5280, section 4.2.1.6. */
  private static final int DNS_NAME = 2;

  private static final int IP_ADDRESS = 7;

  private final String name;
  private final Kind kind;
  private final String commonName;
  private final List<String> alternativeNames;
  private final String detail;

  private Participant(
      String name, Kind kind, String commonName, List<String> alternativeNames, String detail) {
    this.name = name;
    this.kind = kind;
    this.commonName = commonName;
    this.alternativeNames = List.copyOf(alternativeNames);
    this.detail = detail;
  }

  /** A host, an edge or a circuit switch. */
  public static Participant client(String name) {
    return new Participant(name, Kind.CLIENT, name, List.of("DNS:" + name), "");
  }

  /**
   * A switch, or a machine with several: the certificate is good for these datapath ids alone.
   *
   * @param datapathIds at least one
   */
  public static Participant switchOf(String name, Collection<Long> datapathIds) {
    List<String> uris =
        datapathIds.stream().map(Certificates::switchUri).collect(Collectors.toList());
    List<String> names = new ArrayList<>(List.of("DNS:" + name));
    uris.forEach(uri -> names.add("URI:" + uri));
    return new Participant(name, Kind.SWITCH, name, names, String.join(",", uris));
  }

  /** An operator, with what he may do through REST. */
  public static Participant operator(String name, String role) {
    String uri = Certificates.roleUri(role);
    return new Participant(name, Kind.OPERATOR, name, List.of("DNS:" + name, "URI:" + uri), role);
  }

  /**
   * A controller. All controllers have the same name in their certificates, whatever their files
   * are called.
   *
   * @param addresses IP addresses and host names by which REST clients reach it, besides loopback
   */
  public static Participant controller(String name, Collection<String> addresses) {
    List<String> all =
        new ArrayList<>(
            List.of("DNS:" + TlsIdentity.CONTROLLER, "DNS:localhost", "IP:127.0.0.1", "IP:::1"));
    for (String address : addresses) {
      String form = (ADDRESS.matcher(address).matches() ? "IP:" : "DNS:") + address;
      if (!all.contains(form)) {
        all.add(form);
      }
    }
    return new Participant(
        name, Kind.CONTROLLER, TlsIdentity.CONTROLLER, all, String.join(",", addresses));
  }

  /**
   * The holder of a certificate that {@link KeyFolder} made.
   *
   * @param name of its files
   */
  static Participant of(String name, X509Certificate certificate) {
    Set<Long> datapathIds = Certificates.datapathIds(certificate);
    Optional<String> role = Certificates.role(certificate);
    if (!datapathIds.isEmpty()) {
      return switchOf(name, datapathIds);
    } else if (role.isPresent()) {
      return operator(name, role.get());
    } else if (Certificates.commonName(certificate).equals(Optional.of(TlsIdentity.CONTROLLER))) {
      List<String> addresses = addresses(certificate);
      addresses.removeAll(
          List.of(TlsIdentity.CONTROLLER, "localhost", "127.0.0.1", "0:0:0:0:0:0:0:1"));
      return controller(name, addresses);
    }
    return client(name);
  }

  private static List<String> addresses(X509Certificate certificate) {
    List<String> found = new ArrayList<>();
    try {
      for (List<?> each : certificate.getSubjectAlternativeNames()) {
        if (each.get(0).equals(DNS_NAME) || each.get(0).equals(IP_ADDRESS)) {
          found.add(String.valueOf(each.get(1)));
        }
      }
    } catch (CertificateParsingException e) {
      throw new IllegalArgumentException("the certificate's names cannot be read", e);
    }
    return found;
  }

  /** Whether a text can name a participant, and its files. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches() && !text.startsWith(".") && !text.startsWith("-");
  }

  /** Of its files: {@code NAME.pem} and {@code NAME.key}. */
  public String name() {
    return name;
  }

  public Kind kind() {
    return kind;
  }

  /** The switch's URIs, the operator's role, the controller's addresses; empty for clients. */
  public String detail() {
    return detail;
  }

  String commonName() {
    return commonName;
  }

  /** As openssl writes them. */
  List<String> alternativeNames() {
    return alternativeNames;
  }

  /** A switch's OVSDB server is a server for the controller. */
  String extendedKeyUsage() {
    return kind == Kind.CONTROLLER || kind == Kind.SWITCH ? "serverAuth,clientAuth" : "clientAuth";
  }
}
