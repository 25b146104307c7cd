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
import org.evenweave.engine.rest.JsonErrors;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.internal.inject.AbstractBinder;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers questions by JAX-RS resources, without HTTP. Safe for many threads. */
final class ResourceDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(ResourceDispatcher.class);

  /** Where the resources are, for those that say so; it is the same on every instance. */
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
    config.register(new JsonErrors());
    resources.forEach(resource -> config.register(resource.getClass()));
    config.register(new Instances(resources));
    handler = new ApplicationHandler(config);
  }

  RestResponse answer(RestRequest question) {
    URI uri;
    try {
      uri = URI.create(ROOT + question.path());
    } catch (IllegalArgumentException e) {
      return RestResponse.error(400, "the URI is malformed: " + e.getMessage());
    }
    ContainerRequest request =
        new ContainerRequest(
            ROOT, uri, question.method(), new Nobody(), new MapPropertiesDelegate(new HashMap<>()));
    question.headers().forEach(request::header);
    request.setEntityStream(new ByteArrayInputStream(question.body()));
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try {
      ContainerResponse response = handler.apply(request, body).get();
      return new RestResponse(response.getStatus(), headers(response), body.toByteArray());
    } catch (ExecutionException e) {
      LOG.error("{} failed", question, e.getCause());
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
   * Where the resources' classes are registered, their instances come from. Of a registered
   * instance Jersey 2.27 warns that it is ignored, which is not so.
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

  /** Who may ask what was decided before the question got here. */
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
