package org.evenweave.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What the two authorities of a folder have revoked: for each a file of OpenSSL's form, {@code
 * NAME.revoked}, and the signed lists of both in {@code crl.pem}.
 */
final class RevocationLists {
  private static final List<String> AUTHORITIES = List.of("controllers-ca", "clients-ca");
  private static final String NEW = ".new";

  /** The next list is due when something else is revoked; readers keep the last one forever. */
  private static final String DAYS = "3650";

  /** ASN.1's UTCTime, which the command takes alone. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path folder;

  RevocationLists(Path folder) {
    this.folder = folder;
  }

  /** Adds certificates, each to the list of its issuer; one that is there already stays. */
  void add(Collection<Path> certificates) throws IOException {
    for (String authority : AUTHORITIES) {
      X509Certificate issuer = Certificates.read(folder.resolve(authority + ".pem")).get(0);
      Path index = folder.resolve(authority + ".revoked");
      if (!Files.exists(index)) {
        Files.createFile(
            index,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      Set<String> lines = new HashSet<>(Files.readAllLines(index));
      for (Path each : certificates) {
        X509Certificate certificate = Certificates.read(each).get(0);
        String serial = hex(certificate.getSerialNumber());
        boolean isThere = lines.stream().anyMatch(line -> line.split("\t", -1)[3].equals(serial));
        if (!isThere
            && certificate.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())) {
          String line = line(certificate, serial);
          lines.add(line);
          Files.writeString(index, line + "\n", StandardOpenOption.APPEND);
        }
      }
    }
    write();
  }

  /** As ca(1) describes it: state, end, time of revocation, serial number, file, subject. */
  private static String line(X509Certificate certificate, String serial) {
    return String.join(
        "\t",
        "R",
        TIME.format(certificate.getNotAfter().toInstant()),
        TIME.format(Instant.now()),
        serial,
        "unknown",
        "/CN=" + Certificates.commonName(certificate).orElse(""));
  }

  /** In whole bytes, as OpenSSL writes it. */
  private static String hex(BigInteger serial) {
    String digits = serial.toString(16).toUpperCase(Locale.ROOT);
    return digits.length() % 2 == 0 ? digits : "0" + digits;
  }

  private void write() throws IOException {
    StringBuilder lists = new StringBuilder();
    for (String authority : AUTHORITIES) {
      Path config = folder.resolve(authority + ".cnf" + NEW);
      Path list = folder.resolve(authority + ".crl" + NEW);
      Files.writeString(
          config,
          "[ca]\ndefault_ca=a\n[a]\ndatabase="
              + authority
              + ".revoked\ndefault_md=sha256\ndefault_crl_days="
              + DAYS
              + "\n");
      List<String> command = new ArrayList<>(List.of("openssl", "ca", "-gencrl"));
      command.addAll(List.of("-config", config.getFileName().toString()));
      command.addAll(List.of("-keyfile", authority + ".key", "-cert", authority + ".pem"));
      command.addAll(List.of("-out", list.getFileName().toString()));
      try {
        OpenSsl.run(folder, command);
        lists.append(Files.readString(list));
      } finally {
        Files.deleteIfExists(config);
        Files.deleteIfExists(list);
      }
    }
    Path made = folder.resolve(TlsIdentity.REVOKED + NEW);
    Files.writeString(made, lists);
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
    Files.move(
        made,
        folder.resolve(TlsIdentity.REVOKED),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }
}
