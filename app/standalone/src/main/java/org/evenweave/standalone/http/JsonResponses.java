package org.evenweave.standalone.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslHandler;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.rest.JsonErrors;

/** Answers that no resource gives. */
final class JsonResponses {
  private static final long LINGER_SECONDS = 2;

  private JsonResponses() {}

  /**
   * Answers an error and closes the connection. What the client still sends is read for a moment: a
   * connection closed with bytes unread is reset, and its client may never see the answer.
   */
  static void refuse(ChannelHandlerContext context, HttpResponseStatus status, String reason) {
    Channel channel = context.channel();
    if (!channel.isActive()) {
      return;
    }
    FullHttpResponse answer = error(status, reason);
    if (status.equals(HttpResponseStatus.UNAUTHORIZED)) {
      answer.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer realm=\"evenweave\"");
    }
    channel
        .writeAndFlush(answer)
        .addListener(
            written -> {
              SslHandler security = channel.pipeline().get(SslHandler.class);
              if (security != null) {
                security.closeOutbound();
              } else if (channel instanceof DuplexChannel) {
                ((DuplexChannel) channel).shutdownOutput();
              }
              channel.config().setAutoRead(true);
              context.executor().schedule(() -> channel.close(), LINGER_SECONDS, TimeUnit.SECONDS);
            });
  }

  /** Sends a client to another path of this server, and closes the connection. */
  static void redirect(ChannelHandlerContext context, String path) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.FOUND);
    response
        .headers()
        .set(HttpHeaderNames.LOCATION, path)
        .set(HttpHeaderNames.CONTENT_LENGTH, 0)
        .set(HttpHeaderNames.CONNECTION, "close");
    context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  /** {@code {"error": "..."}}. */
  private static FullHttpResponse error(HttpResponseStatus status, String reason) {
    ByteBuf body = Unpooled.copiedBuffer(JsonErrors.body(reason), StandardCharsets.UTF_8);
    FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, MediaType.APPLICATION_JSON)
        .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes())
        .set(HttpHeaderNames.CONNECTION, "close");
    return response;
  }
}
