package org.evenweave.app.rest;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Type;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import javax.ws.rs.core.SecurityContext;
import org.evenweave.engine.rest.RestResources;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.internal.inject.AbstractBinder;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Dispatches requests to JAX-RS resources without HTTP. Thread-safe. */
final class ResourceDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(ResourceDispatcher.class);

  /** The base URI that resources see; it is the same on every instance. */
  private static final URI ROOT = URI.create("/onos/evenweave/");

  private final ApplicationHandler handler;

  /**
   * @param resources JAX-RS singletons; they write their JSON as strings
   */
  ResourceDispatcher(Set<Object> resources) {
    ResourceConfig config = new ResourceConfig();
    config.property(ServerProperties.FEATURE_AUTO_DISCOVERY_DISABLE, true);
    config.property(ServerProperties.METAINF_SERVICES_LOOKUP_DISABLE, true);
    config.property(ServerProperties.WADL_FEATURE_DISABLE, true);
    RestResources.providers().forEach(config::register);
    resources.forEach(resource -> config.register(resource.getClass()));
    config.register(new Instances(resources));
    handler = new ApplicationHandler(config);
  }

  RestResponse handle(RestRequest request) {
    URI uri;
    try {
      uri = URI.create(ROOT + request.path());
    } catch (IllegalArgumentException e) {
      return RestResponse.error(400, "the URI is malformed: " + e.getMessage());
    }
    ContainerRequest jerseyRequest =
        new ContainerRequest(
            ROOT, uri, request.method(), new Nobody(), new MapPropertiesDelegate(new HashMap<>()));
    request.headers().forEach(jerseyRequest::header);
    jerseyRequest.setEntityStream(new ByteArrayInputStream(request.body()));
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try {
      ContainerResponse response = handler.apply(jerseyRequest, body).get();
      return new RestResponse(response.getStatus(), headers(response), body.toByteArray());
    } catch (ExecutionException e) {
      LOG.error("{} failed", request, e.getCause());
      return RestResponse.error(500, "internal error; the log of ONOS has the details");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return RestResponse.error(503, "the application is stopping");
    }
  }

  private static Map<String, String> headers(ContainerResponse response) {
    Map<String, String> headers = new HashMap<>();
    response
        .getStringHeaders()
        .forEach((name, values) -> headers.put(name, String.join(", ", values)));
    return headers;
  }

  /**
   * Binds the registered classes to their instances. If the instances are registered, Jersey 2.27
   * warns, wrongly, that they are ignored.
   */
  private static final class Instances extends AbstractBinder {
    private static final int BEFORE_JERSEYS_OWN = 1;

    private final Set<Object> resources;

    Instances(Set<Object> resources) {
      this.resources = resources;
    }

    @Override
    protected void configure() {
      resources.forEach(
          resource -> bind(resource).to((Type) resource.getClass()).ranked(BEFORE_JERSEYS_OWN));
    }
  }

  /** The servlet has authorised the request already. */
  private static final class Nobody implements SecurityContext {
    @Override
    public java.security.Principal getUserPrincipal() {
      return null;
    }

    @Override
    public boolean isUserInRole(String role) {
      return false;
    }

    @Override
    public boolean isSecure() {
      return false;
    }

    @Override
    public String getAuthenticationScheme() {
      return null;
    }
  }
}
