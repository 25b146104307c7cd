package org.evenweave.sdd.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.evenweave.sdd.protocol.Limits;

/**
 * Makes the keys of a test bed with OpenSSL: a new authority, the controller's certificate and one
 * for each client. In production an operator's own authority signs them; what the files must be is
 * the same ({@link TlsFiles}).
 */
public final class KeyMaker {
  private static final String DAYS = "365";
  private static final String AUTHORITY = "ca";

  private KeyMaker() {}

  /**
   * Makes all keys in a folder that does not exist or is empty, readable for its owner only.
   *
   * @param clients names of hosts and of the circuit switch
   * @throws IOException if the folder holds something, a name is none, or openssl fails; names it
   */
  public static void make(Path folder, List<String> clients) throws IOException {
    checkNames(clients);
    makeEmpty(folder);
    List<String> authority = request("Evenweave SDD test bed", AUTHORITY);
    authority.addAll(
        List.of("-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=keyCertSign"));
    openssl(folder, authority);
    // A controller connects to others, too.
    certificate(folder, TlsFiles.CONTROLLER, "serverAuth,clientAuth");
    for (String client : clients) {
      certificate(folder, client, "clientAuth");
    }
  }

  private static void checkNames(List<String> clients) throws IOException {
    Set<String> names = new HashSet<>(Set.of(TlsFiles.CONTROLLER, AUTHORITY));
    for (String client : clients) {
      if (!Limits.isName(client)) {
        throw new IOException(
            "\"" + client + "\" cannot be a name: it needs 1 to 63 letters, digits and . _ -");
      }
      if (!names.add(client)) {
        throw new IOException("\"" + client + "\" is there twice, or the name of other keys");
      }
    }
  }

  private static void makeEmpty(Path folder) throws IOException {
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (FileAlreadyExistsException e) {
      throw new IOException(folder + " is not a folder", e);
    } catch (FileSystemException e) {
      throw new IOException(folder + " cannot be made: " + why(e), e);
    }
    try (java.util.stream.Stream<Path> files = Files.list(folder)) {
      if (files.findAny().isPresent()) {
        throw new IOException(folder + " is not empty; keys are never replaced");
      }
    }
  }

  private static String why(FileSystemException e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    return e.getReason() == null ? "no folder can be there" : e.getReason();
  }

  private static void certificate(Path folder, String name, String use) throws IOException {
    List<String> command = request(name, name);
    command.addAll(List.of("-CA", AUTHORITY + ".pem", "-CAkey", AUTHORITY + ".key"));
    command.addAll(List.of("-addext", "basicConstraints=critical,CA:FALSE"));
    command.addAll(List.of("-addext", "keyUsage=digitalSignature"));
    command.addAll(List.of("-addext", "extendedKeyUsage=" + use));
    command.addAll(List.of("-addext", "subjectAltName=DNS:" + name));
    openssl(folder, command);
  }

  private static List<String> request(String commonName, String file) {
    List<String> command = new ArrayList<>(List.of("openssl", "req", "-x509", "-noenc"));
    command.addAll(List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"));
    command.addAll(List.of("-subj", "/CN=" + commonName, "-days", DAYS));
    command.addAll(List.of("-keyout", file + ".key", "-out", file + ".pem"));
    return command;
  }

  private static void openssl(Path folder, List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException("openssl failed: " + output.strip());
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
