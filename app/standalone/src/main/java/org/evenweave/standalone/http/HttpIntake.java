package org.evenweave.standalone.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.evenweave.tls.WaitingConnections;

/**
 * Bounds what one connection costs: the time its request takes to arrive, the memory of its body,
 * and the time it leaves an answer unread. Stands between the codec and what gathers a request, so
 * no thread waits for a client meanwhile.
 */
final class HttpIntake extends ChannelDuplexHandler {
  /** What all connections of a server have together. */
  static final class Shared {
    final HttpLimits limits;

    /** Connections with no request that is being answered. */
    private final WaitingConnections<ChannelHandlerContext> waiting = new WaitingConnections<>();

    private int connections;
    private long bodiesBytes;

    Shared(HttpLimits limits) {
      this.limits = limits;
    }

    /** The connection to be closed in exchange, or null. */
    synchronized ChannelHandlerContext opened(ChannelHandlerContext connection) {
      ChannelHandlerContext victim = null;
      if (++connections > limits.maxConnections) {
        victim = waiting.takeVictim().orElse(connection);
      }
      if (victim != connection) {
        waits(connection);
      }
      return victim;
    }

    synchronized void closed(ChannelHandlerContext connection, long bodyBytes) {
      connections--;
      waiting.remove(connection);
      bodiesBytes -= bodyBytes;
    }

    synchronized void waits(ChannelHandlerContext connection) {
      waiting.add(connection, connection.channel().remoteAddress());
    }

    synchronized void isAnswered(ChannelHandlerContext connection) {
      waiting.remove(connection);
    }

    synchronized boolean takes(long bytes) {
      bodiesBytes += bytes;
      return bodiesBytes <= limits.maxBodiesBytes;
    }

    synchronized void frees(long bytes) {
      bodiesBytes -= bytes;
    }
  }

  private final Shared shared;
  private ScheduledFuture<?> deadline;
  private long bodyBytes;
  private boolean requestBegun;
  private boolean answering;
  private boolean refused;
  private boolean streaming;

  HttpIntake(Shared shared) {
    this.shared = shared;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) throws Exception {
    awaitRequest(context);
    ChannelHandlerContext victim = shared.opened(context);
    super.channelActive(context);
    if (victim != null) {
      victim.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    deadline.cancel(false);
    shared.closed(context, bodyBytes);
    bodyBytes = 0;
    super.channelInactive(context);
  }

  private void awaitRequest(ChannelHandlerContext context) {
    deadline =
        context
            .executor()
            .schedule(
                () -> tooLate(context),
                shared.limits.requestTimeout.toNanos(),
                TimeUnit.NANOSECONDS);
  }

  private void tooLate(ChannelHandlerContext context) {
    if (requestBegun) {
      refuse(context, HttpResponseStatus.REQUEST_TIMEOUT, "the request did not arrive in time");
    } else {
      context.close();
    }
  }

  private void refuse(ChannelHandlerContext context, HttpResponseStatus status, String reason) {
    refused = true;
    JsonResponses.refuse(context, status, reason);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    if (refused || streaming) {
      ReferenceCountUtil.release(message);
      return;
    }
    requestBegun |= message instanceof HttpRequest;
    if (message instanceof HttpContent) {
      long bytes = ((HttpContent) message).content().readableBytes();
      bodyBytes += bytes;
      if (!shared.takes(bytes)) {
        ReferenceCountUtil.release(message);
        refuse(
            context,
            HttpResponseStatus.SERVICE_UNAVAILABLE,
            "too many large requests at once; try again later");
        return;
      }
    }
    if (message instanceof LastHttpContent) {
      deadline.cancel(false);
      answering = true;
      shared.isAnswered(context);
      // The next request, which may be here already, waits for this one's answer.
      context.channel().config().setAutoRead(false);
    }
    super.channelRead(context, message);
  }

  /** An answer's last part opens the way for the next request. */
  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
      throws Exception {
    boolean informational =
        message instanceof HttpResponse && ((HttpResponse) message).status().code() < 200;
    if (message instanceof LastHttpContent && !informational) {
      promise.unvoid().addListener(written -> answered(context));
    } else if (message instanceof HttpResponse && !informational) {
      // Only a connection that is read shows that the client has gone. A stream is its last answer.
      streaming = true;
      context.channel().config().setAutoRead(true);
    }
    super.write(context, message, promise);
  }

  private void answered(ChannelHandlerContext context) {
    shared.frees(bodyBytes);
    bodyBytes = 0;
    answering = false;
    requestBegun = false;
    deadline.cancel(false);
    if (context.channel().isActive() && !refused) {
      shared.waits(context);
      awaitRequest(context);
      context.channel().config().setAutoRead(true);
    }
  }

  /** Nothing of an answer could be written for a while. A stream may have nothing to write. */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
    if (event instanceof IdleStateEvent) {
      if ((answering || refused)
          && context.channel().unsafe().outboundBuffer() != null
          && context.channel().unsafe().outboundBuffer().totalPendingWriteBytes() > 0) {
        context.close();
      }
    } else {
      super.userEventTriggered(context, event);
    }
  }
}
