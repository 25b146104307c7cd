package org.evenweave.standalone.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.ws.rs.Consumes;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.StreamingOutput;
import org.evenweave.standalone.access.AccessControl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What slow, greedy and hostile clients cost: over real sockets, and nobody but themselves. */
class HttpClientsTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final Duration LONG = Duration.ofMinutes(10);

  /** Tests hold also where a machine is too slow to deliver a request in this time. */
  private static final Duration SHORT = Duration.ofMillis(100);

  private static final int LONGEST_BODY = 1000;
  private static final int BIG = 32 << 20;
  private static final String UNFINISHED = "PUT /evenweave/thing HTTP/1.1\r\nHo";
  private static final String HOST = "Host: 127.0.0.1\r\n";
  private static final String GET =
      "GET /evenweave/thing HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n";

  private static final Semaphore ENDED_STREAMS = new Semaphore(0);

  private final List<Socket> sockets = new ArrayList<>();
  private HttpApi api;

  @Path("thing")
  @Produces(MediaType.APPLICATION_JSON)
  public static final class Thing {
    @GET
    public String get() {
      return "{\"thing\":1}";
    }

    @PUT
    @Consumes(MediaType.APPLICATION_JSON)
    public String put(String body) {
      return "{\"length\":" + body.length() + "}";
    }

    @GET
    @Path("big")
    public String big() {
      return "x".repeat(BIG);
    }

    /** Waits for an event that does not come. */
    @GET
    @Path("events")
    @Produces("text/event-stream")
    public StreamingOutput events() {
      return output -> {
        try {
          output.write(':');
          output.flush();
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        } finally {
          ENDED_STREAMS.release();
        }
      };
    }

    @PUT
    @Path("named/{name: .+}")
    public String named(@PathParam("name") String name) {
      return "{}";
    }
  }

  private void serve(int maxConnections, Duration request, Duration stall) throws IOException {
    HttpLimits limits = new HttpLimits(LONGEST_BODY, 1 << 20, maxConnections, request, stall);
    api =
        new HttpApi(
            ANY_PORT,
            Set.of(new Thing()),
            List.of("fabric.example"),
            null,
            AccessControl.OPEN,
            limits);
  }

  private void serve() throws IOException {
    serve(1000, LONG, LONG);
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    api.close();
  }

  private Socket send(String text) throws IOException {
    Socket socket = new Socket(api.address().getHost(), api.address().getPort());
    sockets.add(socket);
    send(socket, text);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  /** All that comes until the server closes. */
  private static String rest(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private String answer(String request) throws IOException {
    return rest(send(request));
  }

  private String get() throws IOException {
    return answer(GET);
  }

  /** Sends a request again as long as not even its beginning arrives in time. */
  private String untilServed(String request) throws IOException {
    String answer;
    do {
      answer = answer(request);
    } while (answer.isEmpty() && !Thread.currentThread().isInterrupted());
    return answer;
  }

  /** More than there are threads, each of which answers others afterwards. */
  @Test
  void aStreamWhoseClientHasGoneEndsAtOnce() throws Exception {
    serve();
    for (int i = 0; i < 40; i++) {
      Socket socket = send(GET.replace("thing", "thing/events"));
      assertTrue(socket.getInputStream().read() >= 0);
      // What a client sends meanwhile is of no use.
      send(socket, GET);
      socket.close();
      assertTrue(ENDED_STREAMS.tryAcquire(LONG.toSeconds(), TimeUnit.SECONDS));
    }
    assertTrue(get().endsWith("{\"thing\":1}"));
  }

  @ParameterizedTest
  @CsvSource({"8000, 200", "20000, 414"})
  void aLongRequestLineIsTaken(int length, int status) throws IOException {
    serve();
    String answer = answer(GET.replace("thing", "thing?q=" + "x".repeat(length)));
    assertTrue(answer.startsWith("HTTP/1.1 " + status), answer);
  }

  private static String put(int length) {
    return "PUT /evenweave/thing HTTP/1.1\r\n"
        + HOST
        + "Connection: close\r\nContent-Type: application/json\r\nContent-Length: "
        + length
        + "\r\n\r\n";
  }

  private static void assertError(int status, String reason, String answer) throws IOException {
    assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
    String error =
        new ObjectMapper()
            .readTree(answer.substring(answer.indexOf("\r\n\r\n") + 4))
            .get("error")
            .asText();
    assertTrue(error.contains(reason), error);
  }

  @Test
  void unfinishedRequestsDelayNoOthersAndCanBeFinished() throws IOException {
    serve();
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      slow.add(send(i % 2 == 0 ? put(10) + "12345" : UNFINISHED));
    }
    assertTrue(get().endsWith("{\"thing\":1}"));
    for (int i = 0; i < 100; i++) {
      send(
          slow.get(i),
          i % 2 == 0 ? "67890" : put(10).substring(UNFINISHED.length()) + "1234567890");
      String answer = rest(slow.get(i));
      assertTrue(answer.endsWith("{\"length\":10}"), answer);
    }
  }

  @Test
  void aRequestThatDoesNotArriveInTimeIsGivenUp() throws IOException {
    serve(1000, SHORT, LONG);
    assertError(408, "did not arrive in time", untilServed(put(10) + "12345"));
    assertEquals("", answer("PUT /evenweave/th"));
    assertEquals("", answer(""));
  }

  @Test
  void unreadResponsesDelayNoOthersAndAreDropped() throws IOException {
    serve(1000, LONG, SHORT);
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      slow.add(send("GET /evenweave/thing/big HTTP/1.1\r\n" + HOST + "\r\n"));
    }
    assertTrue(get().endsWith("{\"thing\":1}"));
    for (Socket socket : slow) {
      assertTrue(bytesUntilTheEnd(socket) < BIG);
    }
  }

  /** Waits, without reading, until a write of nothing useful shows that the server has closed. */
  private static long bytesUntilTheEnd(Socket socket) throws IOException {
    try {
      while (true) {
        send(socket, "\r\n");
        Thread.onSpinWait();
      }
    } catch (IOException e) {
      // Reset, or a broken pipe: given up.
    }
    try {
      return socket.getInputStream().readAllBytes().length;
    } catch (IOException e) {
      return 0;
    }
  }

  @Test
  void aBodyAboveTheLimitIsRefusedWhetherItsLengthIsToldOrNot() throws IOException {
    serve();
    assertTrue(answer(put(1000) + "x".repeat(1000)).endsWith("{\"length\":1000}"));
    assertError(413, "at most 1000 bytes", answer(put(1001)));
    assertError(413, "at most 1000 bytes", answer(put(Integer.MAX_VALUE) + "x".repeat(5000)));
    String chunk = "1f4\r\n" + "x".repeat(500) + "\r\n";
    String chunked = put(0).replace("Content-Length: 0", "Transfer-Encoding: chunked");
    assertTrue(answer(chunked + chunk + chunk + "0\r\n\r\n").endsWith("{\"length\":1000}"));
    assertError(413, "at most 1000 bytes", answer(chunked + chunk + chunk + chunk));
    assertTrue(get().endsWith("{\"thing\":1}"));
  }

  @Test
  void requestsOfOneConnectionAreAnsweredInTheirOrder() throws IOException {
    serve();
    String one = "GET /evenweave/thing HTTP/1.1\r\n" + HOST + "\r\n";
    String answers =
        answer(one + put(3).replace("Connection: close\r\n", "") + "123" + one + put(4) + "1234");
    assertTrue(answers.indexOf("{\"length\":3}") > answers.indexOf("{\"thing\":1}"), answers);
    assertTrue(answers.endsWith("{\"length\":4}"), answers);
    assertEquals(5, answers.split("HTTP/1.1 200 OK", -1).length);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "200|Host: localhost|",
        "200|Host: LOCALHOST:8282|",
        "200|Host: 127.0.0.1:1|",
        "200|Host: [::1]:8282|",
        "200|Host: 10.1.2.3|",
        "200|Host: fabric.example:8282|",
        "403|Host: evil.example|evil.example\" is not a name of this server; --http-name",
        "403|Host: localhost.evil.example:8282|is not a name of this server",
        "400|X: y|exactly one Host",
        "400|Host: localhost,Host: localhost|exactly one Host",
        "400|Host: a/b|Host must be",
        "400|Host:|Host must be",
        "200|Host: localhost:8282,Origin: http://localhost:8282|",
        "200|Host: fabric.example,Origin: https://fabric.example|",
        "403|Host: localhost:8282,Origin: http://localhost:8283|pages of other sites",
        "403|Host: localhost:8282,Origin: http://evil.example|pages of other sites",
        "403|Host: localhost:8282,Origin: null|pages of other sites",
        "403|Host: localhost,Origin: http://localhost,Origin: http://x|pages of other sites",
      })
  void onlyClientsThatMeanThisServerAreServed(int status, String headers, String reason)
      throws IOException {
    serve();
    String answer =
        answer(
            "GET /evenweave/thing HTTP/1.1\r\nConnection: close\r\n"
                + headers.replace(",", "\r\n")
                + "\r\n\r\n");
    if (status == 200) {
      assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
    } else {
      assertError(status, reason, answer);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "400, /evenweave/../thing",
    "400, /evenweave/thing/..",
    "400, /evenweave/./thing",
    "400, /evenweave//thing",
    "400, /evenweave/<script>alert(1)</script>",
    "400, /evenweave/thing?q=<script>",
    "400, /evenweave/th\\ing",
    "400, /evenweave/thing%zz",
    "404, /evenweave/%2e%2e/thing",
    "404, /evenweave/thing%00",
    "404, /evenweave/%3Cscript%3E",
    "404, /../evenweave",
    "404, *",
  })
  void aStrangePathIsTheClientsMistake(int status, String target) throws IOException {
    serve();
    String answer = answer("GET " + target + " HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n");
    assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
    assertFalse(answer.contains("<script>"), answer);
    assertTrue(answer.contains("{\"error\":\""), answer);
  }

  @Test
  void anyRequestIsAnsweredWithoutAFailure() throws IOException {
    serve(1000, SHORT, LONG);
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    String[] parts = {
      "GET ",
      "PUT ",
      "HEAD ",
      "TRACE ",
      "\0 ",
      "/",
      "..",
      "/evenweave/",
      "thing",
      "thing/named/",
      "%00",
      "%",
      "%2f",
      "<script>",
      "?",
      "#",
      ";",
      "\\",
      "\0",
      "\u00e9",
      " ",
      "\r\n",
      "\n",
      "a=b",
      " HTTP/1.1\r\n",
      " HTTP/9.9\r\n",
      HOST,
      "Host: x\r\n",
      "Content-Length: 3\r\n",
      "Content-Length: -1\r\n",
      "Transfer-Encoding: chunked\r\n",
      "Content-Type: x\r\n",
      "Accept: \0\r\n",
      "Expect: 100-continue\r\n",
      "Upgrade: h2c\r\n",
      "Connection: close\r\n",
      "If-None-Match: \"\r\n",
      "x".repeat(20_000),
      "\r\n\r\n",
    };
    for (int i = 0; i < 200; i++) {
      StringBuilder request = new StringBuilder();
      if (random.nextBoolean()) {
        request.append("PUT /evenweave/thing");
      }
      for (int n = random.nextInt(12); n >= 0; n--) {
        request.append(parts[random.nextInt(parts.length)]);
      }
      String text = request + "\r\n" + HOST + "Connection: close\r\n\r\n";
      String answer;
      try {
        answer = answer(text);
      } catch (IOException e) {
        continue;
      }
      assertFalse(answer.contains("HTTP/1.1 5"), () -> "seed " + seed + ": " + text + answer);
      assertFalse(answer.contains("Exception"), () -> "seed " + seed + ": " + text + answer);
    }
    assertTrue(untilServed(GET).endsWith("{\"thing\":1}"));
  }

  @Test
  void headHasNoBody() throws IOException {
    serve();
    String answer =
        answer("HEAD /evenweave/thing HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n");
    assertTrue(answer.startsWith("HTTP/1.1 200 ") && answer.endsWith("\r\n\r\n"), answer);
  }
}
