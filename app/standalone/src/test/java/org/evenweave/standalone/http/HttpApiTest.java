package org.evenweave.standalone.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import javax.ws.rs.BadRequestException;
import javax.ws.rs.Consumes;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.MediaType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpApiTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static HttpApi api;

  /** A resource with every way to go wrong. */
  @Path("thing")
  @Produces(MediaType.APPLICATION_JSON)
  public static final class Thing {
    @GET
    public String get(@QueryParam("number") int number) {
      return "{\"number\":" + number + "}";
    }

    @PUT
    @Consumes(MediaType.APPLICATION_JSON)
    public String put(String body) {
      throw new BadRequestException("the body is \"" + body + "\"");
    }

    @GET
    @Path("broken")
    public String broken() {
      throw new IllegalStateException("a secret");
    }
  }

  @BeforeAll
  static void listen() throws IOException {
    api = new HttpApi(ANY_PORT, Set.of(new Thing()), List.of());
  }

  @AfterAll
  static void close() {
    api.close();
  }

  /** By a client that offers to upgrade each request to HTTP/2. */
  private static HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(api.address() + path))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }

  @Test
  void aResourceIsServedUnderTheRoot() throws Exception {
    HttpResponse<String> response = send("GET", "/evenweave/thing?number=7", "");
    assertEquals(200, response.statusCode());
    assertEquals("{\"number\":7}", response.body());
    assertEquals("application/json", response.headers().firstValue("Content-Type").get());
  }

  @ParameterizedTest
  @CsvSource({
    "404, GET, /evenweave/nothing",
    "404, GET, /evenweave",
    "404, GET, /thing",
    "404, GET, /",
    "405, DELETE, /evenweave/thing",
    "400, GET, /evenweave/thing?number=seven",
    "400, PUT, /evenweave/thing",
    "500, GET, /evenweave/thing/broken"
  })
  void everyErrorIsJsonWithItsStatusAndWithoutInternals(int status, String method, String path)
      throws Exception {
    HttpResponse<String> response = send(method, path, "");
    assertEquals(status, response.statusCode());
    assertTrue(new ObjectMapper().readTree(response.body()).get("error").isTextual());
    assertFalse(response.body().contains("secret"), response.body());
    assertFalse(response.body().contains("Exception"), response.body());
  }

  @Test
  void whatTheResourceSaysIsWhatTheClientReads() throws Exception {
    assertEquals(
        "{\"error\":\"the body is \\\"x\\\"\"}", send("PUT", "/evenweave/thing", "x").body());
  }

  @Test
  void aMethodThatIsNotAllowedTellsWhichAre() throws Exception {
    String allowed =
        send("DELETE", "/evenweave/thing", "").headers().firstValue("Allow").orElseThrow();
    assertTrue(allowed.contains("GET") && allowed.contains("PUT"), allowed);
  }

  @Test
  void aBrokenEscapeIsTheClientsMistake() throws Exception {
    for (String target : new String[] {"/evenweave/thing%zz", "/evenweave/thing?number=%1", "/%"}) {
      String response = raw("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertTrue(response.startsWith("HTTP/1.1 400 "), response);
      assertTrue(response.contains("the URI is malformed"), response);
    }
  }

  /** All that the server answers until it closes. */
  private static String raw(String request) throws IOException {
    try (Socket socket = new Socket(api.address().getHost(), api.address().getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void aPortInUseIsAnError() {
    InetSocketAddress taken =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), api.address().getPort());
    IOException e = assertThrows(IOException.class, () -> new HttpApi(taken, Set.of(), List.of()));
    assertTrue(e.getMessage().contains("in use"), e.getMessage());
  }

  @Test
  void whatIsClosedAnswersNoMore() throws Exception {
    HttpApi other = new HttpApi(ANY_PORT, Set.of(new Thing()), List.of());
    URI address = other.address();
    other.close();
    assertThrows(IOException.class, () -> new Socket(address.getHost(), address.getPort()).close());
  }
}
