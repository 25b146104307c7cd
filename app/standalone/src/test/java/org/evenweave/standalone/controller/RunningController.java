package org.evenweave.standalone.controller;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.standalone.openflow.MasterRule;

/** A controller in this process, without switches, and requests to it. */
public final class RunningController implements AutoCloseable {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final Controller controller;
  private final HttpClient client = HttpClient.newHttpClient();

  /**
   * @param sdd an SDD controller's configuration, or null for none
   */
  public RunningController(EngineConfig config, SddConfig sdd) throws CannotListenException {
    controller =
        Controller.start(
            config,
            ANY_PORT,
            ANY_PORT,
            List.of(),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            MasterRule.CLAIM,
            sdd,
            Security.NONE);
  }

  /** Where it serves HTTP. */
  public URI http() {
    return controller.http();
  }

  /**
   * Sends a request.
   *
   * @param body JSON; empty for none
   */
  public HttpResponse<String> send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(controller.http() + path))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Override
  public void close() {
    controller.close();
  }
}
