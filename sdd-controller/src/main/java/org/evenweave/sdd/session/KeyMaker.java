package org.evenweave.sdd.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.evenweave.sdd.protocol.Limits;

/**
 * Makes the keys of a test bed with OpenSSL: a new authority, the controller's certificate and one
 * for each client. In production an operator's own authority signs them; what the files must be is
 * the same ({@link TlsFiles}).
 */
public final class KeyMaker {
  private static final String DAYS = "365";

  private KeyMaker() {}

  /**
   * Makes all keys in a folder that does not exist or is empty, readable for its owner only.
   *
   * @param clients names of hosts and of the circuit switch
   * @throws IOException if the folder holds something, a name is none, or openssl fails; names it
   */
  public static void make(Path folder, List<String> clients) throws IOException {
    for (String client : clients) {
      if (!Limits.isName(client) || client.equals(TlsFiles.CONTROLLER)) {
        throw new IOException("\"" + client + "\" cannot be a client's name");
      }
    }
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try (java.util.stream.Stream<Path> files = Files.list(folder)) {
      if (files.findAny().isPresent()) {
        throw new IOException(folder + " is not empty; keys are never replaced");
      }
    }
    List<String> authority = request("Evenweave SDD test bed", "ca");
    authority.addAll(
        List.of("-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=keyCertSign"));
    openssl(folder, authority);
    // A controller connects to others, too.
    certificate(folder, TlsFiles.CONTROLLER, "serverAuth,clientAuth");
    for (String client : clients) {
      certificate(folder, client, "clientAuth");
    }
  }

  private static void certificate(Path folder, String name, String use) throws IOException {
    List<String> command = request(name, name);
    command.addAll(List.of("-CA", "ca.pem", "-CAkey", "ca.key"));
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
