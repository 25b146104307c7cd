package org.evenweave.tls;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A folder of keys that one authority's keeper has, made with OpenSSL. There are two authorities in
 * it, so that what a switch or a host holds never passes for a controller: {@code controllers-ca}
 * signs controllers, {@code clients-ca} everybody else. {@code ca.pem} is both. An operator's own
 * authority may sign instead; what the files must be is the same ({@link TlsIdentity}).
 *
 * <p>All files are readable for their owner only. A pair of files is put in place when both are
 * whole, the certificate last.
 */
public final class KeyFolder {
  private static final String DAYS = "365";
  private static final String AUTHORITY_DAYS = "3650";
  private static final String CONTROLLERS_CA = "controllers-ca";
  private static final String CLIENTS_CA = "clients-ca";
  private static final Set<String> RESERVED = Set.of("ca", "crl", CONTROLLERS_CA, CLIENTS_CA);
  private static final String CERTIFICATE = ".pem";
  private static final String KEY = ".key";
  private static final String NEW = ".new";

  /** Certificates before renewals, which stay valid, by name and serial number. */
  private static final String REPLACED = "replaced";

  private static final FileAttribute<?> OWNER_ONLY_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final Path folder;

  private KeyFolder(Path folder) {
    this.folder = folder;
  }

  /** A certificate that was made. */
  public static final class Issued {
    public final Participant holder;
    public final X509Certificate certificate;

    Issued(Participant holder, X509Certificate certificate) {
      this.holder = holder;
      this.certificate = certificate;
    }
  }

  /**
   * Makes keys and certificates: in a folder that is new or empty the authorities and {@code
   * controller} too, unless it is among the participants.
   *
   * @throws IOException if the folder holds something else, a name is invalid or exists already, or
   *     openssl fails; names it. Nothing is replaced.
   */
  public static void make(Path folder, Collection<Participant> participants) throws IOException {
    List<Participant> wanted = new ArrayList<>(participants);
    KeyFolder keys = new KeyFolder(folder);
    boolean isNew = !keys.hasAuthorities();
    if (isNew && wanted.stream().noneMatch(p -> p.name().equals(TlsIdentity.CONTROLLER))) {
      wanted.add(0, Participant.controller(TlsIdentity.CONTROLLER, List.of()));
    }
    keys.checkNames(wanted);
    if (isNew) {
      keys.makeEmpty();
      keys.makeAuthorities();
    }
    for (Participant participant : wanted) {
      keys.issue(participant);
    }
  }

  /** As {@link #make}, for participants that are known by their names alone. */
  public static void makeClients(Path folder, Collection<String> names) throws IOException {
    make(folder, names.stream().map(Participant::client).collect(Collectors.toList()));
  }

  /**
   * Makes new keys and certificates for participants that have some, who are who they were.
   *
   * @param names of participants; empty for all
   * @return whom it made them for
   * @throws IOException if the folder is none that {@link #make} made, a name is unknown, or
   *     openssl fails; names it
   */
  public static List<Participant> renew(Path folder, Collection<String> names) throws IOException {
    KeyFolder keys = new KeyFolder(folder);
    List<Participant> renewed = new ArrayList<>();
    List<Issued> present = keys.issued();
    for (String name : names) {
      if (present.stream().noneMatch(each -> each.holder.name().equals(name))) {
        throw new IOException(folder + " has no " + name + CERTIFICATE + " to renew");
      }
    }
    for (Issued each : present) {
      if (names.isEmpty() || names.contains(each.holder.name())) {
        keys.issue(each.holder);
        renewed.add(each.holder);
      }
    }
    return renewed;
  }

  /**
   * Revokes the certificates of participants, also those before renewals, and writes the lists of
   * both authorities to {@code crl.pem}. Their keys can be renewed.
   *
   * @param names of participants, at least one
   * @throws IOException if the folder is none that {@link #make} made, a name is unknown, or
   *     openssl fails; names it
   */
  public static void revoke(Path folder, Collection<String> names) throws IOException {
    KeyFolder keys = new KeyFolder(folder);
    List<Issued> present = keys.issued();
    Set<Path> certificates = new LinkedHashSet<>();
    for (String name : names) {
      if (present.stream().noneMatch(each -> each.holder.name().equals(name))) {
        throw new IOException(folder + " has no " + name + CERTIFICATE + " to revoke");
      }
      certificates.addAll(keys.replacedOf(name));
      certificates.add(folder.resolve(name + CERTIFICATE));
    }
    new RevocationLists(folder).add(certificates);
  }

  private List<Path> replacedOf(String name) throws IOException {
    Path replaced = folder.resolve(REPLACED);
    if (!Files.isDirectory(replaced)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(replaced)) {
      return files
          .filter(file -> file.getFileName().toString().matches(Pattern.quote(name) + "=[0-9a-f]+"))
          .sorted()
          .collect(Collectors.toList());
    }
  }

  /** The certificate that a new one will replace may have to be revoked later. */
  private void keepReplaced(String name) throws IOException {
    Path certificate = folder.resolve(name + CERTIFICATE);
    if (Files.exists(certificate)) {
      String serial = Certificates.read(certificate).get(0).getSerialNumber().toString(16);
      Path replaced =
          Files.createDirectories(folder.resolve(REPLACED), OWNER_ONLY_FOLDER)
              .resolve(name + "=" + serial);
      Files.copy(certificate, replaced, StandardCopyOption.REPLACE_EXISTING);
      Files.setPosixFilePermissions(replaced, OWNER_ONLY);
    }
  }

  /**
   * The certificates of a folder, those of the authorities left out.
   *
   * @throws IOException if the folder is none that {@link #make} made; names it
   */
  public static List<Issued> list(Path folder) throws IOException {
    return new KeyFolder(folder).issued();
  }

  private List<Issued> issued() throws IOException {
    if (!hasAuthorities()) {
      throw new IOException(
          folder + " has no " + CLIENTS_CA + KEY + ": evenweave keys make did not write it");
    }
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.sorted().collect(Collectors.toList());
    }
    List<Issued> issued = new ArrayList<>();
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (name.endsWith(CERTIFICATE)) {
        name = name.substring(0, name.length() - CERTIFICATE.length());
        if (!RESERVED.contains(name)) {
          X509Certificate certificate = Certificates.read(file).get(0);
          issued.add(new Issued(Participant.of(name, certificate), certificate));
        }
      }
    }
    return issued;
  }

  private boolean hasAuthorities() {
    return Files.exists(folder.resolve(CLIENTS_CA + KEY))
        && Files.exists(folder.resolve(TlsIdentity.AUTHORITIES));
  }

  private void checkNames(List<Participant> participants) throws IOException {
    Set<String> names = new HashSet<>(RESERVED);
    for (Participant participant : participants) {
      String name = participant.name();
      boolean isController = participant.kind() == Participant.Kind.CONTROLLER;
      if (!Participant.isName(name)) {
        throw new IOException(
            "\"" + name + "\" cannot be a name: it needs 1 to 63 letters, digits and . _ -");
      }
      if (!names.add(name) || (name.equals(TlsIdentity.CONTROLLER) && !isController)) {
        throw new IOException("\"" + name + "\" occurs twice, or is the name of other keys");
      }
      if (Files.exists(folder.resolve(name + CERTIFICATE))) {
        throw new IOException(
            folder.resolve(name + CERTIFICATE)
                + " exists, and make replaces no keys; use evenweave keys renew");
      }
    }
  }

  private void makeEmpty() throws IOException {
    try {
      Files.createDirectories(folder, OWNER_ONLY_FOLDER);
    } catch (FileAlreadyExistsException e) {
      throw new IOException(folder + " is not a folder", e);
    } catch (FileSystemException e) {
      throw new IOException(folder + " cannot be made: " + why(e), e);
    }
    try (Stream<Path> files = Files.list(folder)) {
      if (files.findAny().isPresent()) {
        throw new IOException(
            folder + " is not empty, and has no keys of evenweave keys make: name another folder");
      }
    }
  }

  private static String why(FileSystemException e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    return e.getReason() == null ? "no folder can be there" : e.getReason();
  }

  /** The clients' key is put in place last: with it the folder counts as complete. */
  private void makeAuthorities() throws IOException {
    authority(CONTROLLERS_CA, "Evenweave controllers' authority");
    authority(CLIENTS_CA, "Evenweave clients' authority");
    Path both = folder.resolve(TlsIdentity.AUTHORITIES + NEW);
    Files.writeString(
        both,
        Files.readString(folder.resolve(CONTROLLERS_CA + CERTIFICATE))
            + Files.readString(folder.resolve(CLIENTS_CA + CERTIFICATE)));
    place(TlsIdentity.AUTHORITIES);
  }

  private void authority(String name, String commonName) throws IOException {
    List<String> command = request(commonName, name, AUTHORITY_DAYS);
    command.addAll(
        List.of(
            "-addext",
            "basicConstraints=critical,CA:TRUE",
            "-addext",
            "keyUsage=keyCertSign,cRLSign"));
    openssl(command);
    place(name + KEY);
    place(name + CERTIFICATE);
  }

  private void issue(Participant holder) throws IOException {
    String authority = holder.kind() == Participant.Kind.CONTROLLER ? CONTROLLERS_CA : CLIENTS_CA;
    List<String> command = request(holder.commonName(), holder.name(), DAYS);
    command.addAll(List.of("-CA", authority + CERTIFICATE, "-CAkey", authority + KEY));
    command.addAll(List.of("-addext", "basicConstraints=critical,CA:FALSE"));
    command.addAll(List.of("-addext", "keyUsage=digitalSignature"));
    command.addAll(List.of("-addext", "extendedKeyUsage=" + holder.extendedKeyUsage()));
    command.addAll(
        List.of("-addext", "subjectAltName=" + String.join(",", holder.alternativeNames())));
    openssl(command);
    keepReplaced(holder.name());
    place(holder.name() + KEY);
    place(holder.name() + CERTIFICATE);
  }

  private static List<String> request(String commonName, String file, String days) {
    List<String> command = new ArrayList<>(List.of("openssl", "req", "-x509", "-noenc"));
    command.addAll(List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"));
    command.addAll(List.of("-subj", "/CN=" + commonName, "-days", days));
    command.addAll(List.of("-keyout", file + KEY + NEW, "-out", file + CERTIFICATE + NEW));
    return command;
  }

  private void place(String file) throws IOException {
    Path made = folder.resolve(file + NEW);
    Files.setPosixFilePermissions(made, OWNER_ONLY);
    Files.move(
        made,
        folder.resolve(file),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private void openssl(List<String> command) throws IOException {
    OpenSsl.run(folder, command);
  }
}
