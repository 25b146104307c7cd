package org.evenweave.standalone.controller;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.evenweave.standalone.access.AccessControl;
import org.evenweave.standalone.access.AuditLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a command that serves REST: where, and to whom. */
public final class HttpOptions {
  private static final Logger LOG = LoggerFactory.getLogger(HttpOptions.class);

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:8282",
      converter = HttpListen.Reader.class,
      description =
          "Where HTTP clients connect (default: ${DEFAULT-VALUE}). Beyond loopback with"
              + " TLS and log-in; https://HOST:PORT turns on TLS on loopback too.")
  private HttpListen listen;

  @Option(
      names = "--http-name",
      paramLabel = "NAME",
      description =
          "A host name that HTTP clients may use, besides localhost and any address; repeatable."
              + " Other names are refused, because pages of other sites could use them.")
  private List<String> names = List.of();

  @Option(
      names = "--access",
      paramLabel = "FILE",
      description =
          "The tokens by which HTTP clients log in (evenweave keys token). Client"
              + " certificates with a role (evenweave keys make --operator) log in too.")
  private Path access;

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      description =
          "The file for a line of JSON for every change: user, address, request and result."
              + " Required if clients log in. 10 files of 16 MiB are kept: FILE, FILE.1 and so on.")
  private Path auditLog;

  @Option(
      names = "--insecure",
      description =
          "Allows addresses beyond loopback without TLS and log-in: anybody there may do anything.")
  private boolean insecure;

  /** Where to listen. */
  public InetSocketAddress address() {
    return listen.address;
  }

  /** The host names by which clients may call the server, besides localhost. */
  public List<String> names() {
    return names;
  }

  /** Whether what is not protected may be reached from other machines. */
  boolean insecure() {
    return insecure;
  }

  /** Whether REST speaks TLS, given that there are keys. */
  public boolean tls() {
    return listen.scheme == HttpListen.Scheme.HTTPS
        || (listen.scheme == HttpListen.Scheme.NOT_GIVEN && !listen.isLoopback());
  }

  private boolean asksForLogIn() {
    return access != null || (!listen.isLoopback() && !insecure);
  }

  /**
   * Refuses to serve other machines without TLS, log-in and audit log, unless that is what the
   * operator asks for.
   *
   * @param keys whether there are keys for TLS
   * @param keysOption how the operator gives some
   * @throws ParameterException with what to do
   */
  public void requireProtected(CommandLine command, boolean keys, String keysOption) {
    String address = Endpoint.text(listen.address);
    if (listen.scheme == HttpListen.Scheme.HTTPS && !keys) {
      throw new ParameterException(
          command, "--http https://" + address + " needs keys for TLS: " + keysOption);
    }
    if (!listen.isLoopback() && !insecure && !(keys && tls())) {
      throw new ParameterException(
          command,
          "--http "
              + address
              + " can be reached from other machines: TLS needs "
              + keysOption
              + "; --insecure serves plain HTTP without log-in");
    }
    if (asksForLogIn() && auditLog == null) {
      throw new ParameterException(
          command, "changes by clients that log in must be recorded: name a file with --audit-log");
    }
    if (!listen.isLoopback() && insecure) {
      warnPublic("--http", listen.address);
    }
  }

  static void warnPublic(String option, InetSocketAddress address) {
    LOG.warn(
        "{} {} can be reached from other machines, and --insecure lets anybody in",
        option,
        Endpoint.text(address));
  }

  /**
   * Reads the tokens.
   *
   * @throws IOException if their file cannot be used; names it
   */
  public void requireTokens() throws IOException {
    AccessControl.of(asksForLogIn(), access, null).close();
  }

  /**
   * Who may do what through REST, by these options.
   *
   * @throws IOException if a file cannot be used; names it
   */
  public AccessControl accessControl() throws IOException {
    AuditLog audit = auditLog == null ? null : new AuditLog(auditLog);
    try {
      return AccessControl.of(asksForLogIn(), access, audit);
    } catch (IOException e) {
      if (audit != null) {
        audit.close();
      }
      throw e;
    }
  }
}
