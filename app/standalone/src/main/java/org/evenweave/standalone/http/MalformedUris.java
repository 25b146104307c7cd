package org.evenweave.standalone.http;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.rest.JsonErrors;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.http.HttpContent;
import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.HttpResponsePacket;
import org.glassfish.grizzly.memory.Buffers;

/**
 * Answers 400 to an URI with a broken percent escape. The layers above take one for a failure of
 * their own and answer 500.
 */
final class MalformedUris extends BaseFilter {
  private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2})");

  @Override
  public NextAction handleRead(FilterChainContext context) {
    HttpContent content = context.getMessage();
    HttpRequestPacket request = (HttpRequestPacket) content.getHttpHeader();
    String query = request.getQueryString();
    String uri = request.getRequestURI() + (query == null ? "" : query);
    if (!BROKEN_ESCAPE.matcher(uri).find()) {
      return context.getInvokeAction();
    }
    byte[] body =
        JsonErrors.body("the URI has a % that is not followed by two hex digits")
            .getBytes(StandardCharsets.UTF_8);
    HttpResponsePacket response = request.getResponse();
    response.setStatus(400);
    response.setContentType(MediaType.APPLICATION_JSON);
    response.setContentLength(body.length);
    // Ends the response with the connection, since a body of the request may follow.
    response.getProcessingState().setError(true);
    Buffer buffer = Buffers.wrap(context.getMemoryManager(), body);
    context.write(HttpContent.builder(response).content(buffer).last(true).build());
    context.getConnection().closeSilently();
    content.recycle();
    return context.getStopAction();
  }
}
