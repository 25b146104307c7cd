package org.evenweave.standalone.http;

import java.io.IOException;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.rest.JsonErrors;
import org.glassfish.grizzly.http.server.ErrorPageGenerator;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.HttpServerFilter;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http.server.ServerConfiguration;
import org.glassfish.grizzly.threadpool.ThreadPoolConfig;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpContainer;
import org.glassfish.jersey.server.ContainerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;

/**
 * Serves JAX-RS resources under {@value #ROOT}. Every error, also one about a path outside, is
 * {@code {"error": "..."}} with its status, and never a stack trace.
 */
public final class HttpApi implements AutoCloseable {
  /** The path all resources are under. */
  public static final String ROOT = "/evenweave";

  private static final long CLOSE_GRACE_SECONDS = 1;
  private static final int WORKERS = 16;

  private final HttpServer server = new HttpServer();
  private final NetworkListener listener;

  /**
   * Starts to listen.
   *
   * @param resources JAX-RS singletons; they write their JSON as strings
   * @throws IOException if the address cannot be bound; nothing is left running then
   */
  public HttpApi(InetSocketAddress address, Set<Object> resources) throws IOException {
    listener = new NetworkListener("http", address.getHostString(), address.getPort());
    listener.registerAddOn(
        (to, filters) -> {
          int last = filters.indexOfType(HttpServerFilter.class);
          filters.add(last, new MalformedUris());
          filters.add(last, new NoUpgrades());
        });
    // Streams of events hold a thread each for as long as they last.
    listener
        .getTransport()
        .setWorkerThreadPoolConfig(
            ThreadPoolConfig.defaultConfig()
                .setPoolName("http")
                .setCorePoolSize(WORKERS)
                .setMaxPoolSize(WORKERS));
    server.addListener(listener);
    ServerConfiguration configuration = server.getServerConfiguration();
    configuration.addHttpHandler(container(resources), ROOT + "/*");
    configuration.addHttpHandler(new Elsewhere(), "/");
    configuration.setDefaultErrorPageGenerator(new JsonErrorPage());
    try {
      server.start();
    } catch (IOException e) {
      server.shutdownNow();
      throw e;
    }
  }

  private static GrizzlyHttpContainer container(Set<Object> resources) {
    ResourceConfig config = new ResourceConfig();
    // Everything is named here; looking for more on the class path takes a third of a second.
    config.property(ServerProperties.FEATURE_AUTO_DISCOVERY_DISABLE, true);
    config.property(ServerProperties.METAINF_SERVICES_LOOKUP_DISABLE, true);
    config.property(ServerProperties.WADL_FEATURE_DISABLE, true);
    config.property(ServerProperties.RESPONSE_SET_STATUS_OVER_SEND_ERROR, true);
    config.register(new JsonErrors());
    resources.forEach(config::register);
    return ContainerFactory.createContainer(GrizzlyHttpContainer.class, config);
  }

  /** Where clients find the server, without the root's path; the port is the real one. */
  public URI address() {
    String host = listener.getHost();
    return URI.create(
        "http://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + listener.getPort());
  }

  /** Stops listening and waits a moment for requests under way. */
  @Override
  public void close() {
    try {
      server.shutdown(CLOSE_GRACE_SECONDS, TimeUnit.SECONDS).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the HTTP server did not stop", e);
    }
  }

  /** Answers for paths outside the root. */
  private static final class Elsewhere extends HttpHandler {
    @Override
    public void service(Request request, Response response) throws IOException {
      response.setStatus(404);
      response.setContentType(MediaType.APPLICATION_JSON);
      response.setCharacterEncoding(StandardCharsets.UTF_8.name());
      try (Writer writer = response.getWriter()) {
        writer.write(JsonErrors.body("nothing here; the resources are under " + ROOT));
      }
    }
  }

  /** What Grizzly says by itself, of requests that never reach a resource. */
  private static final class JsonErrorPage implements ErrorPageGenerator {
    @Override
    public String generate(
        Request request, int status, String reason, String description, Throwable thrown) {
      request.getResponse().setContentType(MediaType.APPLICATION_JSON);
      request.getResponse().setCharacterEncoding(StandardCharsets.UTF_8.name());
      return JsonErrors.body(reason);
    }
  }
}
