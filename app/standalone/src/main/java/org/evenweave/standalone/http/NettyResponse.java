package org.evenweave.standalone.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.rest.JsonErrors;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.spi.ContainerResponseWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a resource's answer to the client: in one piece with its length, or, for a stream of
 * events, as the events occur. A client that does not read its stream is cut off.
 */
final class NettyResponse implements ContainerResponseWriter {
  private static final Logger LOG = LoggerFactory.getLogger(NettyResponse.class);

  private static final MediaType STREAM = MediaType.valueOf("text/event-stream");

  private final Channel channel;
  private final boolean keepAlive;
  private final boolean head;
  private final IntConsumer ends;
  private HttpResponse headers;
  private ByteArrayOutputStream body;
  private Stream stream;

  /**
   * @param ends called with the status before an answer goes out, of a stream at its end
   */
  NettyResponse(Channel channel, HttpRequest request, IntConsumer ends) {
    this.channel = channel;
    this.ends = ends;
    keepAlive = HttpUtil.isKeepAlive(request);
    head = request.method().equals(HttpMethod.HEAD);
  }

  @Override
  public OutputStream writeResponseStatusAndHeaders(long length, ContainerResponse response) {
    HttpResponseStatus status = HttpResponseStatus.valueOf(response.getStatus());
    headers = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
    response.getStringHeaders().forEach((name, values) -> headers.headers().add(name, values));
    if (STREAM.isCompatible(response.getMediaType())) {
      headers.headers().set("Cache-Control", "no-store");
      HttpUtil.setTransferEncodingChunked(headers, true);
      channel.writeAndFlush(headers);
      stream = new Stream();
      return stream;
    }
    body = new ByteArrayOutputStream();
    return body;
  }

  /** Each flush is one chunk. When the client goes, what waits for something to write ends. */
  private final class Stream extends OutputStream {
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private final Thread writer = Thread.currentThread();
    private boolean ended;

    Stream() {
      channel.closeFuture().addListener(closed -> interrupt());
    }

    private synchronized void interrupt() {
      if (!ended) {
        writer.interrupt();
      }
    }

    /** The thread goes on to other requests, which no interrupt may reach. */
    synchronized void end() {
      ended = true;
      Thread.interrupted();
    }

    @Override
    public void write(int b) {
      pending.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      pending.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      if (!channel.isActive()) {
        throw new IOException("the client has disconnected");
      }
      if (!channel.isWritable()) {
        channel.close();
        throw new IOException("the client does not read its stream");
      }
      if (pending.size() > 0) {
        channel.writeAndFlush(
            new DefaultHttpContent(Unpooled.wrappedBuffer(pending.toByteArray())));
        pending.reset();
      }
    }

    /** At the end, of which a client that has gone need not know. */
    @Override
    public void close() {
      pending.reset();
    }
  }

  @Override
  public void commit() {
    if (stream != null) {
      stream.end();
    }
    ends.accept(headers.status().code());
    ChannelFuture written;
    if (body == null) {
      written = channel.writeAndFlush(new DefaultLastHttpContent());
    } else {
      ByteBuf content = Unpooled.wrappedBuffer(body.toByteArray());
      FullHttpResponse whole =
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, headers.status(), content);
      whole.headers().set(headers.headers());
      boolean bodiless = head || headers.status().equals(HttpResponseStatus.NOT_MODIFIED);
      if (!bodiless) {
        HttpUtil.setContentLength(whole, content.readableBytes());
      }
      HttpUtil.setKeepAlive(whole, keepAlive);
      written = channel.writeAndFlush(whole);
    }
    if (!keepAlive || body == null) {
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public void failure(Throwable error) {
    if (stream != null) {
      stream.end();
    }
    if (!channel.isActive() || isOfTransport(error)) {
      // The client has gone in the middle of its answer, which is how many streams end.
      LOG.debug("an answer to {} ended: {}", channel.remoteAddress(), error.toString());
      channel.close();
      return;
    }
    LOG.error("a request of {} failed", channel.remoteAddress(), error);
    if (headers == null || body != null) {
      headers =
          new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.INTERNAL_SERVER_ERROR);
      headers.headers().set("Content-Type", MediaType.APPLICATION_JSON);
      body = new ByteArrayOutputStream();
      body.writeBytes(
          JsonErrors.body("internal error; the controller's log has the details")
              .getBytes(StandardCharsets.UTF_8));
    }
    commit();
  }

  private static boolean isOfTransport(Throwable error) {
    return error instanceof IOException || error.getCause() instanceof IOException;
  }

  /** Answers are gathered here. */
  @Override
  public boolean enableResponseBuffering() {
    return false;
  }

  @Override
  public boolean suspend(long time, TimeUnit unit, TimeoutHandler handler) {
    throw new UnsupportedOperationException("no resource answers later");
  }

  @Override
  public void setSuspendTimeout(long time, TimeUnit unit) {
    throw new UnsupportedOperationException("no resource answers later");
  }
}
