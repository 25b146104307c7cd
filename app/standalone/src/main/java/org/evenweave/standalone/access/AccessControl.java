package org.evenweave.standalone.access;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.evenweave.tls.Certificates;

/**
 * Decides which client may do what through REST, and writes changes to the audit log. Thread-safe.
 *
 * <p>A client proves who it is by a token ({@code Authorization: Bearer NAME.SECRET}) or by a
 * certificate of the authority that gives a role; a token comes first. Where no log-in is required,
 * everybody may do everything.
 */
public final class AccessControl implements AutoCloseable {
  /** Everybody may do everything, and nothing is logged. */
  public static final AccessControl OPEN = new AccessControl(false, null, null);

  /** No name in it begins with a dot, so that nothing outside the page's folder is meant. */
  private static final Pattern PAGE = Pattern.compile("page(/\\w[\\w.-]*)*/?");

  private static final String SCHEME = "bearer ";
  private static final Account ANYBODY = new Account("anybody", Role.CONFIGURE, Account.NONE);

  private final boolean asks;
  private final Tokens tokens;
  private final AuditLog audit;

  private AccessControl(boolean asks, Tokens tokens, AuditLog audit) {
    this.asks = asks;
    this.tokens = tokens;
    this.audit = audit;
  }

  /**
   * @param asks whether clients have to prove who they are
   * @param file of tokens; null for none
   * @param audit null if nothing is written down
   * @throws IOException if the file cannot be read or is invalid; names it
   */
  public static AccessControl of(boolean asks, Path file, AuditLog audit) throws IOException {
    return new AccessControl(asks, file == null ? null : new Tokens(file), audit);
  }

  /** The properties of a request on which the decision depends. */
  public static final class Request {
    final String method;
    final String uri;
    final String path;
    final String authorization;
    final X509Certificate certificate;
    final InetSocketAddress client;

    /**
     * @param path below the root of the resources
     * @param authorization the value of that header; null if there is none
     * @param certificate of the client, as TLS has checked it; null if there is none
     */
    public Request(
        String method,
        String uri,
        String path,
        String authorization,
        X509Certificate certificate,
        InetSocketAddress client) {
      this.method = method;
      this.uri = uri;
      this.path = path;
      this.authorization = authorization;
      this.certificate = certificate;
      this.client = client;
    }

    /**
     * Its files hold nothing of the fabric, and a browser needs them to ask its user for a token.
     */
    private boolean isForThePage() {
      return (method.equals("GET") || method.equals("HEAD"))
          && (uri.equals("/") || PAGE.matcher(path).matches());
    }
  }

  /** Either the account that sends the request, or a refusal. */
  public static final class Decision {
    private final Account account;
    private final int status;
    private final String reason;

    private Decision(Account account, int status, String reason) {
      this.account = account;
      this.status = status;
      this.reason = reason;
    }

    /** Who sends it; null if it is refused. */
    public Account account() {
      return account;
    }

    /** Of HTTP, if it is refused: 401, 403 or 429. */
    public int status() {
      return status;
    }

    /** A sentence on why it is refused, and what to do. */
    public String reason() {
      return reason;
    }
  }

  /**
   * Decides on a request.
   *
   * @param then gets the decision, at once or later on another thread
   */
  public void check(Request request, Consumer<Decision> then) {
    if (!asks || request.isForThePage()) {
      then.accept(new Decision(ANYBODY, 0, ""));
    } else if (request.authorization != null) {
      checkToken(request, then);
    } else if (request.certificate != null) {
      then.accept(byCertificate(request));
    } else {
      then.accept(refused(request, "", 401, "log in: " + howTo()));
    }
  }

  private String howTo() {
    return tokens == null
        ? "show a client certificate with a role (evenweave keys make --operator)"
        : "send Authorization: Bearer and a token (evenweave keys token), or show a client"
            + " certificate with a role (evenweave keys make --operator)";
  }

  private void checkToken(Request request, Consumer<Decision> then) {
    String value = request.authorization.trim();
    if (tokens == null || !value.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      then.accept(refused(request, "", 401, "this way to log in is not known: " + howTo()));
      return;
    }
    tokens.check(
        value.substring(SCHEME.length()).trim(),
        request.client.getAddress(),
        (outcome, account) -> {
          switch (outcome) {
            case RIGHT:
              then.accept(withRole(request, account));
              break;
            case WRONG:
              then.accept(
                  refused(
                      request,
                      "",
                      401,
                      "the token is not known: make one with evenweave keys token, and have the"
                          + " controller read it by SIGHUP"));
              break;
            default:
              then.accept(
                  refused(request, "", 429, "too many tokens are being checked: wait a moment"));
          }
        });
  }

  private Decision byCertificate(Request request) {
    X509Certificate certificate = request.certificate;
    String name = Certificates.commonName(certificate).orElse("");
    Optional<Role> role = Certificates.role(certificate).flatMap(Role::named);
    try {
      certificate.checkValidity();
    } catch (CertificateExpiredException | CertificateNotYetValidException e) {
      return refused(
          request, name, 401, "the certificate is not valid today: evenweave keys renew");
    }
    if (role.isEmpty()) {
      return refused(
          request,
          name,
          403,
          "the certificate of " + name + " gives no role: evenweave keys make --operator does");
    }
    return withRole(request, new Account(name, role.get(), "certificate"));
  }

  private Decision withRole(Request request, Account account) {
    Role needed = Role.neededFor(request.method, request.path);
    if (account.role().includes(needed)) {
      return new Decision(account, 0, "");
    }
    return refused(
        request,
        account.getName(),
        403,
        account.getName()
            + " has the role "
            + account.role().text()
            + ", and this needs "
            + needed.text()
            + ": ask who administers the controller for it");
  }

  private Decision refused(Request request, String who, int status, String reason) {
    if (audit != null && Role.neededFor(request.method, request.path) != Role.READ) {
      InetAddress host = request.client.getAddress();
      audit.addRefused(
          who, host.getHostAddress(), text(request.client), request.method, request.uri, status);
    }
    return new Decision(null, status, reason);
  }

  /**
   * Writes down what a request has changed, or tried to; reading is not written down.
   *
   * @param status of the HTTP answer
   */
  public void done(
      Account who,
      InetSocketAddress client,
      String method,
      String uri,
      int status,
      ByteBuffer body) {
    if (audit != null && Role.neededFor(method, "") != Role.READ) {
      audit.add(who, text(client), method, uri, status, body);
    }
  }

  private static String text(InetSocketAddress client) {
    String host = client.getAddress().getHostAddress();
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + client.getPort();
  }

  /**
   * Reads the file of tokens again.
   *
   * @throws IOException if it cannot be read or is invalid; then nothing changes
   */
  public void reload() throws IOException {
    if (tokens != null) {
      tokens.reload();
    }
  }

  /** Whether there is a file of tokens to be read again. */
  public boolean hasTokens() {
    return tokens != null;
  }

  /** A sentence if something keeps the audit log from being complete. */
  public List<String> problems() {
    return audit == null || audit.problem().isEmpty() ? List.of() : List.of(audit.problem());
  }

  @Override
  public void close() {
    if (tokens != null) {
      tokens.close();
    }
    if (audit != null) {
      audit.close();
    }
  }
}
