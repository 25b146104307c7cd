package org.evenweave.app.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.ws.rs.BadRequestException;
import javax.ws.rs.Consumes;
import javax.ws.rs.GET;
import javax.ws.rs.HeaderParam;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On the Jersey of ONOS 2.7. */
class ResourceDispatcherTest {
  private final ResourceDispatcher dispatcher = new ResourceDispatcher(Set.of(new Thing()));

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
    @Path("version")
    public Response version(@HeaderParam("If-None-Match") String known) {
      return Response.status("\"7\"".equals(known) ? 304 : 200).tag("7").build();
    }

    @GET
    @Path("broken")
    public String broken() {
      throw new IllegalStateException("a secret");
    }
  }

  private RestResponse put(String body) {
    return dispatcher.handle(
        new RestRequest(
            "PUT",
            "thing",
            Map.of("Content-Type", "application/json"),
            body.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aResourceAnswersByItsPathAndQuery() {
    RestResponse response = dispatcher.handle(RestRequest.get("thing?number=7"));
    assertEquals("200 {\"number\":7}", response.toString());
    assertEquals("application/json", response.headers().get("Content-Type"));
  }

  @Test
  void aResourceReadsTheBody() {
    assertEquals("400 {\"error\":\"the body is \\\"ü\\\"\"}", put("ü").toString());
  }

  @Test
  void headersGoInAndComeOut() {
    RestResponse first = dispatcher.handle(RestRequest.get("thing/version"));
    assertEquals(200, first.status());
    assertEquals("\"7\"", first.headers().get("ETag"));
    RestRequest again =
        new RestRequest(
            "GET",
            "thing/version",
            Map.of("If-None-Match", first.headers().get("ETag")),
            new byte[0]);
    assertEquals(304, dispatcher.handle(again).status());
  }

  @ParameterizedTest
  @CsvSource({
    "404, GET, nothing",
    "404, GET, ''",
    "404, GET, ../evenweaves/thing",
    "405, DELETE, thing",
    "400, GET, thing?number=seven",
    "400, GET, thing?number=",
    "405, TRACE, sdd/triggers/any/end",
    "405, PUT, connections",
    "404, GET, connections",
    "400, GET, thing%zz",
    "500, GET, thing/broken"
  })
  void everyErrorIsJsonWithItsStatusAndWithoutInternals(int status, String method, String path)
      throws Exception {
    RestResponse response = dispatcher.handle(new RestRequest(method, path, Map.of(), new byte[0]));
    assertEquals(status, response.status());
    assertEquals("application/json", response.headers().get("Content-Type"));
    assertTrue(new ObjectMapper().readTree(response.text()).get("error").isTextual());
    assertFalse(response.text().contains("secret"), response.text());
    assertFalse(response.text().contains("Exception"), response.text());
  }

  @Test
  void headSaysWhatGetWouldWithoutABody() {
    RestResponse response =
        dispatcher.handle(new RestRequest("HEAD", "thing", Map.of(), new byte[0]));
    assertEquals("200 ", response.toString());
  }

  @Test
  void startingWarnsOfNothing() {
    List<String> warnings = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord logged) {
            warnings.add(logged.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger jersey = Logger.getLogger("org.glassfish.jersey");
    jersey.addHandler(handler);
    try {
      new ResourceDispatcher(Set.of(new Thing()));
    } finally {
      jersey.removeHandler(handler);
    }
    assertEquals(List.of(), warnings);
  }
}
