package org.evenweave.standalone.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.PathParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.SecurityContext;
import org.evenweave.standalone.TestKeys;
import org.evenweave.standalone.access.AccessControl;
import org.evenweave.standalone.access.AccessFile;
import org.evenweave.standalone.access.AuditLog;
import org.evenweave.standalone.access.Role;
import org.evenweave.tls.KeyFolder;
import org.evenweave.tls.TlsIdentity;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may do what, over TLS on loopback. */
class LoginTest {
  @TempDir static Path temporary;

  private static TestKeys keys;
  private static Path access;
  private static Server shared;

  /** Says who asks. */
  @javax.ws.rs.Path("{path: .+}")
  public static final class Mirror {
    @GET
    public String see(@Context SecurityContext who) {
      return who.getUserPrincipal().getName() + " " + who.isSecure();
    }

    @PUT
    public String change(@PathParam("path") String path, String body) {
      return path + " " + body.length();
    }
  }

  @BeforeAll
  static void make() throws IOException {
    keys = new TestKeys(temporary);
    access = temporary.resolve("access.json");
    for (Role role : Role.values()) {
      String token = AccessFile.addToken(access, "the-" + role.text(), role);
      Files.writeString(temporary.resolve(role.text()), token);
    }
    shared = new Server();
  }

  /** REST with log-in, and where it writes changes down. */
  private static final class Server implements AutoCloseable {
    final Path audit = Files.createTempFile(temporary, "audit", ".jsonl");
    final TlsIdentity identity = keys.controller();
    final AccessControl accessControl = AccessControl.of(true, access, new AuditLog(audit));
    final HttpApi api =
        new HttpApi(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Set.of(new Mirror()),
            List.of(),
            identity,
            accessControl);

    Server() throws IOException {}

    @Override
    public void close() {
      api.close();
      accessControl.close();
    }
  }

  @AfterAll
  static void close() {
    shared.close();
  }

  /** So many that a host takes 12 s to be admitted with all, and too few to close another. */
  @Test
  void aHostThatOpensConnectionsWithoutEndIsRefused() throws IOException {
    HttpLimits limits =
        new HttpLimits(1 << 20, 1 << 20, 1024, Duration.ofMinutes(5), Duration.ofMinutes(5));
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (HttpApi api =
        new HttpApi(
            any, Set.of(new Mirror()), List.of(), keys.controller(), AccessControl.OPEN, limits)) {
      List<Socket> strangers = new ArrayList<>();
      for (int i = 0; i < 900; i++) {
        strangers.add(new Socket(any.getAddress(), api.address().getPort()));
      }
      int closed = 0;
      for (Socket stranger : strangers) {
        closed += isClosed(stranger) ? 1 : 0;
        stranger.close();
      }
      assertTrue(closed > 0);
    }
  }

  /** Whether the other end has closed or reset a connection on which it sends nothing. */
  private static boolean isClosed(Socket socket) throws IOException {
    socket.setSoTimeout(1);
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true;
    }
  }

  private static String send(
      Server server, Socket socket, String method, String path, String headers, String body)
      throws IOException {
    String request =
        method
            + " /evenweave/"
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + headers
            + "Content-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    socket.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.api.address().getPort()));
    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static SSLSocket of(String holder) throws IOException {
    return keys.socketOf(holder, "TLSv1.3", "TLSv1.2");
  }

  private static String withToken(Server server, String role, String method, String path)
      throws IOException {
    String token = Files.readString(temporary.resolve(role));
    try (SSLSocket socket = of("h0")) {
      return send(server, socket, method, path, "Authorization: Bearer " + token + "\r\n", "x");
    }
  }

  /** Of two, a proxy before this server may have checked the other one. */
  @Test
  void twoTokensInOneRequestAreRefused() throws IOException {
    String headers = "";
    for (String role : List.of("configure", "read")) {
      headers += "Authorization: Bearer " + Files.readString(temporary.resolve(role)) + "\r\n";
    }
    try (SSLSocket socket = of("h0")) {
      String answer = send(shared, socket, "GET", "configuration", headers, "");
      assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
      assertTrue(answer.contains("at most one Authorization"), answer);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "read, GET, configuration, 200",
    "read, PUT, exclusions/s1, 403",
    "read, PUT, strategy, 403",
    "operate, GET, status, 200",
    "operate, PUT, exclusions/s1, 200",
    "operate, PUT, strategy, 403",
    "configure, PUT, exclusions/s1, 200",
    "configure, PUT, strategy, 200"
  })
  void aTokenAllowsWhatItsRoleMay(String role, String method, String path, int status)
      throws Exception {
    String answer = withToken(shared, role, method, path);
    assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
    if (status == 403) {
      assertTrue(answer.contains("the-" + role + " has the role " + role), answer);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET, page/, true",
    "GET, page/assets/page-1a2b.js, true",
    "HEAD, page/, true",
    "PUT, page/, false",
    "GET, page/../status, false",
    "GET, page/%2e%2e/status, false",
    "GET, page/./../status, false",
    "GET, page;a=b/../status, false",
    "GET, pages, false"
  })
  void thePageAloneIsForEverybody(String method, String path, boolean isOpen) throws Exception {
    try (SSLSocket nobody = of("h0")) {
      String answer = send(shared, nobody, method, path, "", "");
      assertEquals(!isOpen, answer.startsWith("HTTP/1.1 403 "), answer);
    }
  }

  @Test
  void whoLogsInIsProvenAndWhoReadsThePageIsNot() throws Exception {
    AtomicInteger proofs = new AtomicInteger();
    EmbeddedChannel connection =
        new EmbeddedChannel(new Login(shared.accessControl, proofs::incrementAndGet)) {
          @Override
          protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 4242);
          }
        };
    connection.writeInbound(request("page/"));
    assertInstanceOf(HttpRequest.class, connection.readInbound());
    assertEquals(0, proofs.get());
    HttpRequest withToken = request("status");
    withToken
        .headers()
        .set("Authorization", "Bearer " + Files.readString(temporary.resolve("read")));
    connection.writeInbound(withToken);
    while (connection.readInbound() == null) {
      Thread.onSpinWait(); // until the token's hash is computed
      connection.runPendingTasks();
    }
    assertEquals(1, proofs.get());
  }

  private static HttpRequest request(String path) {
    return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/evenweave/" + path);
  }

  @Test
  void aClientCertificateWithARoleLogsInToo() throws Exception {
    try (SSLSocket alice = of("alice")) {
      String answer = send(shared, alice, "GET", "status", "", "");
      assertTrue(answer.endsWith("\r\n\r\nalice true"), answer);
    }
    try (SSLSocket bob = of("bob")) {
      assertTrue(send(shared, bob, "PUT", "strategy", "", "x").contains(" 403 "));
    }
    try (SSLSocket host = of("h0")) {
      String answer = send(shared, host, "GET", "status", "", "");
      assertTrue(answer.contains("the certificate of h0 gives no role"), answer);
    }
  }

  @Test
  void aRevokedCertificateEndsItsConnectionAndIsRefused() throws Exception {
    try (Server server = new Server();
        SSLSocket bob = of("bob");
        SSLSocket again = of("bob")) {
      bob.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), server.api.address().getPort()));
      bob.startHandshake();
      KeyFolder.revoke(keys.folder, List.of("bob"));
      try {
        server.identity.reload();
        assertEquals(-1, bob.getInputStream().read());
        assertThrows(IOException.class, () -> send(server, again, "GET", "status", "", ""));
      } finally {
        KeyFolder.renew(keys.folder, List.of("bob"));
      }
    }
  }

  @Test
  void whoDoesNotProveWhoHeIsIsToldHowAndSendsNoBody() throws Exception {
    try (SSLSocket stranger = of("h0")) {
      String headers = "Authorization: Bearer the-read.wrong\r\n";
      String answer = send(shared, stranger, "PUT", "strategy", headers, "x".repeat(1 << 16));
      assertTrue(answer.startsWith("HTTP/1.1 401 "), answer);
      assertTrue(answer.toLowerCase(Locale.ROOT).contains("www-authenticate: bearer"), answer);
      assertTrue(answer.contains("evenweave keys token"), answer);
    }
    try (SSLSocket stranger = of("h0")) {
      String answer = send(shared, stranger, "GET", "status", "Authorization: Basic eDp5\r\n", "");
      assertTrue(answer.startsWith("HTTP/1.1 401 "), answer);
    }
  }

  @Test
  void plainHttpIsNotServed() throws Exception {
    try (Socket plain = new Socket()) {
      String answer;
      try {
        answer = send(shared, plain, "GET", "status", "", "");
      } catch (IOException e) {
        answer = "";
      }
      assertFalse(answer.startsWith("HTTP/1.1 200"), answer);
    }
  }

  @Test
  void changesAndRefusalsAreInTheAuditLogAndNoSecretIs() throws Exception {
    List<String> lines;
    try (Server server = new Server()) {
      withToken(server, "configure", "PUT", "strategy");
      withToken(server, "read", "PUT", "strategy");
      withToken(server, "read", "GET", "status");
      lines = Files.readAllLines(server.audit);
    }
    assertEquals(2, lines.size(), lines.toString());
    assertTrue(lines.get(0).contains("\"who\":\"the-configure\",\"from\":\"127.0.0.1:"));
    assertTrue(lines.get(0).contains("\"uri\":\"/evenweave/strategy\",\"status\":200"));
    assertTrue(lines.get(1).contains("\"who\":\"the-read\""), lines.get(1));
    assertTrue(lines.get(1).contains("\"status\":403"), lines.get(1));
    String token = Files.readString(temporary.resolve("configure"));
    assertFalse(lines.toString().contains(token.substring(token.indexOf('.') + 1)));
  }
}
