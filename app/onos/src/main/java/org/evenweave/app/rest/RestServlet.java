package org.evenweave.app.rest;

import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import javax.servlet.DispatcherType;
import javax.servlet.RequestDispatcher;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.evenweave.engine.rest.SameSite;
import org.evenweave.engine.rest.WholeNumbers;
import org.evenweave.web.PageResource;
import org.onlab.osgi.DefaultServiceDirectory;
import org.onlab.osgi.ServiceNotFoundException;
import org.onosproject.security.AuditService;

/**
 * Serves {@code /onos/evenweave} in ONOS's web server: forwards each request to the REST resources,
 * and serves the event stream by polling them. A browser sends a user's password with the requests
 * of any page, so those of other sites are refused.
 */
public final class RestServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  /** Headers that resources use; no credentials. */
  private static final Set<String> HEADERS =
      Set.of("accept", "content-type", "if-match", "if-none-match", "last-event-id");

  private static final String ADMINISTRATOR = "admin";

  /** A fabric of 100,000 servers is some 20 MB; a request has no need of more. */
  private static final int MAX_BODY = 64 << 20;

  /** The one resource whose response lasts as long as the client stays. */
  private static final String STREAM = "events/stream";

  /** Each stream holds a thread of ONOS's web server. */
  private static final int MAX_STREAMS = 8;

  private final transient SameSite sameSite = SameSite.withAnyName();
  private final transient Semaphore streams = new Semaphore(MAX_STREAMS);
  private final transient ChangeAudit audit;
  private volatile boolean destroyed;

  public RestServlet() {
    this(new ChangeAudit(() -> serviceOrNull(AuditService.class)));
  }

  /**
   * @param audit records requests that change something
   */
  RestServlet(ChangeAudit audit) {
    this.audit = audit;
  }

  @Override
  public void destroy() {
    destroyed = true;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (request.getDispatcherType() == DispatcherType.ERROR) {
      write(refusal(request), response);
      return;
    }
    SameSite.Refusal refusal = sameSite.check(values(request, "Host"), values(request, "Origin"));
    if (refusal != null) {
      write(RestResponse.error(refusal.status(), refusal.reason()), response);
      return;
    }
    if (request.getMethod().equals("GET") && path(request).isEmpty()) {
      response.sendRedirect(request.getContextPath() + "/" + PageResource.PATH);
      return;
    }
    boolean stream = request.getMethod().equals("GET") && path(request).equals(STREAM);
    if (!stream) {
      write(handle(request), response);
    } else if (streams.tryAcquire()) {
      try {
        stream(request, response);
      } finally {
        streams.release();
      }
    } else {
      write(RestResponse.error(503, "there are " + MAX_STREAMS + " streams already"), response);
    }
  }

  /** An error of the web server itself, which it would report in HTML. */
  private static RestResponse refusal(HttpServletRequest request) {
    int status = (Integer) request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    boolean unknown = status == HttpServletResponse.SC_UNAUTHORIZED;
    Object message = request.getAttribute(RequestDispatcher.ERROR_MESSAGE);
    return RestResponse.error(
        status, unknown ? "a user of ONOS and the password are needed" : String.valueOf(message));
  }

  private void stream(HttpServletRequest request, HttpServletResponse response) throws IOException {
    EventStream stream;
    RestResponse first;
    try {
      stream = new EventStream(RestServlet::send, since(request));
      first = stream.first();
    } catch (IllegalArgumentException e) {
      first = RestResponse.error(400, "since and Last-Event-ID must be sequence numbers");
      stream = null;
    }
    if (first.status() != 200) {
      write(first, response);
      return;
    }
    response.setContentType("text/event-stream");
    response.setHeader("Cache-Control", "no-store");
    response.flushBuffer();
    try {
      stream.send(first, response.getOutputStream(), () -> !destroyed);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The last event that the client has; a browser sends it when it reconnects. */
  private static long since(HttpServletRequest request) {
    String since = request.getParameter("since");
    String seen = request.getHeader("Last-Event-ID");
    return Math.max(
        since == null ? 0 : WholeNumbers.parse(since, Long.MAX_VALUE),
        seen == null ? 0 : WholeNumbers.parse(seen, Long.MAX_VALUE));
  }

  private static RestResponse send(RestRequest request) {
    RestClient client = serviceOrNull(RestClient.class);
    return client == null
        ? RestResponse.error(503, "Evenweave is not active")
        : client.send(request);
  }

  private static <T> T serviceOrNull(Class<T> type) {
    try {
      return DefaultServiceDirectory.getService(type);
    } catch (ServiceNotFoundException e) {
      return null;
    }
  }

  private RestResponse handle(HttpServletRequest request) throws IOException {
    byte[] body = request.getInputStream().readNBytes(MAX_BODY + 1);
    if (body.length > MAX_BODY) {
      return RestResponse.error(413, "the body must be at most " + MAX_BODY + " bytes");
    }
    RestRequest forwarded =
        new RestRequest(
            request.getMethod(), path(request) + query(request), headers(request), body);
    if (forwarded.isReadOnly()) {
      return send(forwarded);
    }
    RestResponse response =
        request.isUserInRole(ADMINISTRATOR)
            ? send(forwarded)
            : RestResponse.error(403, "only an administrator may change this");
    audit.add(request, body, response.status());
    return response;
  }

  private static String path(HttpServletRequest request) {
    String path = request.getRequestURI().substring(request.getContextPath().length());
    return path.replaceFirst("^/+", "");
  }

  private static String query(HttpServletRequest request) {
    String query = request.getQueryString();
    return query == null ? "" : "?" + query;
  }

  private static List<String> values(HttpServletRequest request, String header) {
    return Collections.list(request.getHeaders(header));
  }

  private static Map<String, String> headers(HttpServletRequest request) {
    Map<String, String> headers = new HashMap<>();
    for (String name : Collections.list(request.getHeaderNames())) {
      if (HEADERS.contains(name.toLowerCase(java.util.Locale.ROOT))) {
        headers.put(name, String.join(", ", values(request, name)));
      }
    }
    return headers;
  }

  private static void write(RestResponse from, HttpServletResponse to) throws IOException {
    to.setStatus(from.status());
    from.headers().forEach(to::setHeader);
    to.setContentLength(from.body().length);
    to.getOutputStream().write(from.body());
  }
}
