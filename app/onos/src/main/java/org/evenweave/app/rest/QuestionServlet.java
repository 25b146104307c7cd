package org.evenweave.app.rest;

import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.onlab.osgi.DefaultServiceDirectory;
import org.onlab.osgi.ServiceNotFoundException;

/** ONOS's web server at {@code /onos/evenweave}: every request is a question. */
public final class QuestionServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  /** What a resource may want to know of a request; not who asks. */
  private static final Set<String> HEADERS =
      Set.of("accept", "content-type", "if-match", "if-none-match", "last-event-id");

  private static final String ADMINISTRATOR = "admin";

  /** A fabric of 100,000 servers is some 20 MB; the engine need not hold more of one request. */
  private static final int LONGEST_BODY = 64 << 20;

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    write(answer(request), response);
  }

  private static Answer answer(HttpServletRequest request) throws IOException {
    byte[] body = request.getInputStream().readNBytes(LONGEST_BODY + 1);
    if (body.length > LONGEST_BODY) {
      return Answer.error(413, "the body must be at most " + LONGEST_BODY + " bytes");
    }
    Question question = new Question(request.getMethod(), path(request), headers(request), body);
    if (!question.onlyReads() && !request.isUserInRole(ADMINISTRATOR)) {
      return Answer.error(403, "only an administrator may change this");
    }
    try {
      return DefaultServiceDirectory.getService(Questions.class).ask(question);
    } catch (ServiceNotFoundException e) {
      return Answer.error(503, "Evenweave is not active");
    }
  }

  private static String path(HttpServletRequest request) {
    String path = request.getRequestURI().substring(request.getContextPath().length());
    String query = request.getQueryString();
    return path.replaceFirst("^/+", "") + (query == null ? "" : "?" + query);
  }

  private static Map<String, String> headers(HttpServletRequest request) {
    Map<String, String> headers = new HashMap<>();
    for (String name : Collections.list(request.getHeaderNames())) {
      if (HEADERS.contains(name.toLowerCase(java.util.Locale.ROOT))) {
        headers.put(name, String.join(", ", Collections.list(request.getHeaders(name))));
      }
    }
    return headers;
  }

  private static void write(Answer answer, HttpServletResponse response) throws IOException {
    response.setStatus(answer.status());
    answer.headers().forEach(response::setHeader);
    response.setContentLength(answer.body().length);
    response.getOutputStream().write(answer.body());
  }
}
