package org.evenweave.app.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.DispatcherType;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onosproject.security.AuditService;

class RestServletTest {
  private final AtomicInteger status = new AtomicInteger();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private boolean administrator;
  private String sent = "";

  /** A request that gets past the check of its headers is refused here for want of a role. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT|10.99.0.1:8181||only an administrator",
        "PUT|onos.example:8181||only an administrator",
        "PUT|onos.example:8181|http://onos.example:8181|only an administrator",
        "PUT|onos.example:8443|https://onos.example:8443|only an administrator",
        "PUT|onos.example:8181|http://evil.example|pages of other sites",
        "PUT|onos.example:8181|http://onos.example:8282|pages of other sites",
        "POST|onos.example:8181|null|pages of other sites",
        "DELETE|10.99.0.1:8181|http://evil.example|pages of other sites",
        "GET|10.99.0.1:8181|http://evil.example|pages of other sites",
      })
  void requestsOfOtherSitesPagesAreRefused(String method, String host, String origin, String why)
      throws IOException {
    List<String> origins = origin == null ? List.of() : List.of(origin);
    Map<String, List<String>> headers = Map.of("Host", List.of(host), "Origin", origins);
    new RestServlet().service(request(method, "strategy", headers), response());
    assertEquals(403, status.get());
    assertTrue(text().contains(why), text());
  }

  /** A viewer's request that gets past the check of roles finds no application here. */
  @ParameterizedTest
  @CsvSource({
    "POST, what-if, 503",
    "POST, striping, 503",
    "GET, status, 503",
    "POST, what-if/../strategy, 403",
    "POST, striping;a=b, 403",
    "POST, verification, 403",
    "POST, audit, 403",
    "DELETE, damping/s1/1, 403"
  })
  void viewersMayReadAndCompute(String method, String path, int expected) throws IOException {
    Map<String, List<String>> headers = Map.of("Host", List.of("10.99.0.1:8181"));
    new RestServlet().service(request(method, path, headers), response());
    assertEquals(expected, status.get(), text());
  }

  @ParameterizedTest
  @CsvSource({
    "true, true, PUT, strategy, 503",
    "false, true, PUT, strategy, 403",
    "false, true, POST, what-if, ",
    "true, true, GET, status, ",
    "true, false, PUT, strategy, "
  })
  void changesAreInOnossAuditLogIfItIsOn(
      boolean isAdministrator, boolean isAuditing, String method, String path, Integer recorded)
      throws IOException {
    administrator = isAdministrator;
    sent = "{\"strategy\": \"wcmp\"}";
    List<String> entries = new ArrayList<>();
    RestServlet servlet = new RestServlet(new ChangeAudit(() -> auditService(isAuditing, entries)));
    servlet.service(request(method, path, Map.of("Host", List.of("10.99.0.1:8181"))), response());
    assertEquals(
        recorded == null
            ? List.of()
            : List.of(
                "karaf {\"from\":\"10.99.0.7\",\"method\":\"PUT\",\"uri\":\"/onos/evenweave/strategy\","
                    + "\"status\":"
                    + recorded
                    + ",\"body\":\"{\\\"strategy\\\": \\\"wcmp\\\"}\"}"),
        entries);
  }

  private static AuditService auditService(boolean isAuditing, List<String> entries) {
    return new AuditService() {
      @Override
      public boolean isAuditing() {
        return isAuditing;
      }

      @Override
      public void logUserAction(String user, String action) {
        entries.add(user + " " + action);
      }
    };
  }

  private String text() {
    return body.toString(StandardCharsets.UTF_8);
  }

  private HttpServletRequest request(
      String method, String path, Map<String, List<String>> headers) {
    return fake(
        HttpServletRequest.class,
        (name, arguments) -> {
          switch (name) {
            case "getDispatcherType":
              return DispatcherType.REQUEST;
            case "getMethod":
              return method;
            case "getRequestURI":
              return "/onos/evenweave/" + path;
            case "getContextPath":
              return "/onos/evenweave";
            case "getHeaderNames":
              return Collections.enumeration(headers.keySet());
            case "getHeaders":
              return Collections.enumeration(headers.getOrDefault(arguments[0], List.of()));
            case "getInputStream":
              return new Body(sent);
            case "getRemoteAddr":
              return "10.99.0.7";
            case "getUserPrincipal":
              return (Principal) () -> "karaf";
            case "isUserInRole":
              return administrator;
            default:
              return null;
          }
        });
  }

  private HttpServletResponse response() {
    return fake(
        HttpServletResponse.class,
        (name, arguments) -> {
          if (name.equals("setStatus")) {
            status.set((Integer) arguments[0]);
          }
          return name.equals("getOutputStream") ? new Written() : null;
        });
  }

  private interface Handler {
    Object call(String method, Object[] arguments);
  }

  @SuppressWarnings("unchecked")
  private static <T> T fake(Class<T> type, Handler handler) {
    return (T)
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> handler.call(method.getName(), arguments));
  }

  private static final class Body extends ServletInputStream {
    private final InputStream bytes;

    Body(String text) {
      bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int read() throws IOException {
      return bytes.read();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      return bytes.read(buffer, offset, length);
    }

    @Override
    public boolean isFinished() {
      return true;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {}
  }

  private final class Written extends ServletOutputStream {
    @Override
    public void write(int b) {
      body.write(b);
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {}
  }
}
