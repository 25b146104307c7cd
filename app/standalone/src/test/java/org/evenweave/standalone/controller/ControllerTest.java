package org.evenweave.standalone.controller;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.standalone.openflow.MasterRule;
import org.junit.jupiter.api.Test;

class ControllerTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration PROBE_PERIOD = Duration.ofSeconds(1);
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @Test
  void theEngineIsServedOverHttp() throws Exception {
    try (Controller controller =
        Controller.start(
            EngineConfig.empty(),
            ANY_PORT,
            ANY_PORT,
            List.of(),
            TIMEOUT,
            PROBE_PERIOD,
            MasterRule.CLAIM,
            null,
            Security.NONE)) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(controller.http() + "/evenweave/status")).build();
      String status = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
      assertTrue(status.contains("\"switches\":0"), status);
    }
  }

  @Test
  void aConfigurationThatIsPutIsStreamedAsAnEventAndTheStreamEndsWithTheController()
      throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    BufferedReader stream;
    try (Controller controller =
        Controller.start(
            EngineConfig.empty(),
            ANY_PORT,
            ANY_PORT,
            List.of(),
            TIMEOUT,
            PROBE_PERIOD,
            MasterRule.CLAIM,
            null,
            Security.NONE)) {
      URI root = URI.create(controller.http() + "/evenweave/");
      HttpRequest listen = HttpRequest.newBuilder(root.resolve("events/stream")).build();
      stream =
          new BufferedReader(
              new InputStreamReader(
                  client.send(listen, BodyHandlers.ofInputStream()).body(),
                  StandardCharsets.UTF_8));
      HttpRequest put =
          HttpRequest.newBuilder(root.resolve("configuration"))
              .header("Content-Type", "application/json")
              .PUT(BodyPublishers.ofString("{\"maxOversubscription\":1.05}"))
              .build();
      assertEquals(200, client.send(put, BodyHandlers.ofString()).statusCode());
      String line = stream.readLine();
      while (!line.startsWith("data:")) {
        line = stream.readLine();
      }
      assertTrue(line.contains("\"subject\":\"maxOversubscription 1.05\""), line);
    }
    assertDoesNotThrow(() -> stream.lines().count());
  }

  @Test
  void aTakenAddressIsNamedWithTheOptionAndNothingIsLeftListening() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      // Only now, or the kernel might give the same port again.
      InetSocketAddress free = freeAddress();
      InetSocketAddress used = (InetSocketAddress) taken.getLocalSocketAddress();
      assertEquals(
          Endpoint.text(used)
              + " is already in use: stop what listens there, or choose another with --openflow",
          refusal(used, free));
      bind(free);
      assertEquals(
          Endpoint.text(used)
              + " is already in use: stop what listens there, or choose another with --http",
          refusal(free, used));
      bind(free);
    }
  }

  private static InetSocketAddress freeAddress() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return (InetSocketAddress) socket.getLocalSocketAddress();
    }
  }

  private static String refusal(InetSocketAddress openflow, InetSocketAddress http) {
    return assertThrows(
            CannotListenException.class,
            () ->
                Controller.start(
                    EngineConfig.empty(),
                    openflow,
                    http,
                    List.of(),
                    TIMEOUT,
                    PROBE_PERIOD,
                    MasterRule.CLAIM,
                    null,
                    Security.NONE))
        .getMessage();
  }

  private static void bind(InetSocketAddress address) throws IOException {
    new ServerSocket(address.getPort(), 1, address.getAddress()).close();
  }
}
