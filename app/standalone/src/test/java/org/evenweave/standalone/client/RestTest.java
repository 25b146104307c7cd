package org.evenweave.standalone.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestTest {
  private final List<String> requests = new ArrayList<>();
  private HttpServer server;
  private int status = 200;
  private String body = "{}";

  @TempDir Path folder;

  private String serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.add(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Authorization"));
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.stop(0);
    }
  }

  private Rest rest(String url) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("profiles.json"),
            "{\"default\":\"a\",\"profiles\":{\"a\":{\"token\":\"n.s\"}}}");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return new Rest(Profile.read(file, "a", url));
  }

  private static int code(Rest rest) {
    return assertThrows(ClientException.class, () -> rest.get("status")).exitCode();
  }

  @Test
  void theTokenIsSentAndAServersPathIsTheRootOfTheResources() throws Exception {
    String url = serve();
    rest(url).get("status");
    rest(url + "/onos/evenweave/").get("status");
    assertEquals(
        List.of("GET /evenweave/status Bearer n.s", "GET /onos/evenweave/status Bearer n.s"),
        requests);
  }

  @Test
  void eachFailureHasItsExitCode() throws Exception {
    String url = serve();
    status = 503;
    assertEquals(ClientException.REFUSED, code(rest(url)));
    status = 401;
    assertEquals(ClientException.NOT_ALLOWED, code(rest(url)));
    status = 200;
    body = "<html>";
    assertEquals(ClientException.UNREACHABLE, code(rest(url)));
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      url = "http://127.0.0.1:" + closed.getLocalPort();
    }
    assertEquals(ClientException.UNREACHABLE, code(rest(url)));
    assertEquals(
        "the server \"ftp://x\" is not a URL like http://127.0.0.1:8282",
        assertThrows(ClientException.class, () -> rest("ftp://x")).getMessage());
  }

  @Test
  void pagesAreJoined() throws Exception {
    String url = serve();
    body = "{\"rows\":[1],\"total\":1}";
    assertEquals("{\"rows\":[1],\"total\":1}", rest(url).getAll("x?switch=y", "rows").toString());
    assertEquals("GET /evenweave/x?switch=y&limit=10000 Bearer n.s", requests.get(0));
  }
}
