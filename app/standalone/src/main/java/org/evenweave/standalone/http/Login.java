package org.evenweave.standalone.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.evenweave.standalone.access.AccessControl;
import org.evenweave.standalone.access.Account;

/**
 * Authenticates and authorises a request before its body is read, so that an unauthenticated client
 * cannot fill the memory for bodies. Meanwhile the connection reads nothing more.
 */
final class Login extends ChannelInboundHandlerAdapter {
  /** Who sends the request that is being received or answered. */
  static final AttributeKey<Account> ACCOUNT = AttributeKey.valueOf("account");

  private final AccessControl accessControl;
  private final Runnable loggedIn;
  private boolean refused;

  /** Whether the answer has come, as it often does while it is asked for. */
  private boolean decided;

  private boolean asking;

  /**
   * @param loggedIn told of each request of somebody who has proved who he is
   */
  Login(AccessControl accessControl, Runnable loggedIn) {
    this.accessControl = accessControl;
    this.loggedIn = loggedIn;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    if (refused) {
      ReferenceCountUtil.release(message);
    } else if (message instanceof HttpRequest) {
      ask(context, (HttpRequest) message);
    } else {
      super.channelRead(context, message);
    }
  }

  private void ask(ChannelHandlerContext context, HttpRequest request) {
    if (request.headers().getAll(HttpHeaderNames.AUTHORIZATION).size() > 1) {
      refuse(
          context,
          request,
          HttpResponseStatus.BAD_REQUEST,
          "the request must have at most one Authorization");
      return;
    }
    decided = false;
    asking = true;
    accessControl.check(
        new AccessControl.Request(
            request.method().name(),
            request.uri(),
            path(request.uri()),
            request.headers().get(HttpHeaderNames.AUTHORIZATION),
            certificate(context.pipeline()),
            (InetSocketAddress) context.channel().remoteAddress()),
        answer -> {
          if (context.executor().inEventLoop()) {
            answered(context, request, answer);
          } else {
            context.executor().execute(() -> answered(context, request, answer));
          }
        });
    asking = false;
    if (!decided) {
      context.channel().config().setAutoRead(false);
    }
  }

  private void answered(
      ChannelHandlerContext context, HttpRequest request, AccessControl.Decision answer) {
    decided = true;
    if (answer.account() == null) {
      refuse(context, request, HttpResponseStatus.valueOf(answer.status()), answer.reason());
      return;
    }
    if (answer.account().isProven()) {
      loggedIn.run();
    }
    context.channel().attr(ACCOUNT).set(answer.account());
    context.fireChannelRead(request);
    if (!asking) {
      context.channel().config().setAutoRead(true);
    }
  }

  private void refuse(
      ChannelHandlerContext context,
      HttpRequest request,
      HttpResponseStatus status,
      String reason) {
    refused = true;
    ReferenceCountUtil.release(request);
    JsonResponses.refuse(context, status, reason);
  }

  /** Below the root; what is malformed is refused later, and needs the most until then. */
  private static String path(String text) {
    try {
      String path = new URI(text).getRawPath();
      String root = HttpApi.ROOT + "/";
      return path != null && path.startsWith(root) ? path.substring(root.length()) : "";
    } catch (URISyntaxException e) {
      return "";
    }
  }

  /** What TLS has checked; null if the client has shown none. */
  static X509Certificate certificate(ChannelPipeline pipeline) {
    SslHandler security = pipeline.get(SslHandler.class);
    if (security == null) {
      return null;
    }
    try {
      return (X509Certificate) security.engine().getSession().getPeerCertificates()[0];
    } catch (SSLPeerUnverifiedException e) {
      return null;
    }
  }
}
