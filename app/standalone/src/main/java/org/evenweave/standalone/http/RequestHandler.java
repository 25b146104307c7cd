package org.evenweave.standalone.http;

import io.netty.buffer.ByteBufInputStream;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.Principal;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLException;
import javax.ws.rs.core.SecurityContext;
import org.evenweave.engine.rest.SameSite;
import org.evenweave.standalone.access.AccessControl;
import org.evenweave.standalone.access.Account;
import org.evenweave.standalone.access.Role;
import org.evenweave.web.PageResource;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes complete requests to the resources, on separate threads. */
final class RequestHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);
  private static final URI ROOT = URI.create(HttpApi.ROOT + "/");

  /** Where a browser is sent that asks for the server itself. */
  private static final String PAGE = HttpApi.ROOT + "/" + PageResource.PATH;

  private final ApplicationHandler resources;
  private final boolean hasPage;
  private final SameSite sameSite;
  private final AccessControl accessControl;
  private final Executor workers;
  private final FailureLog failures;

  /**
   * @param hasPage whether the operator's page is one of the resources
   * @param failures the server's
   */
  RequestHandler(
      ApplicationHandler resources,
      boolean hasPage,
      SameSite sameSite,
      AccessControl accessControl,
      Executor workers,
      FailureLog failures) {
    this.hasPage = hasPage;
    this.accessControl = accessControl;
    this.failures = failures;
    this.resources = resources;
    this.sameSite = sameSite;
    this.workers = workers;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    if (request.decoderResult().isFailure()) {
      RequestGatherer.refuse(context, request.decoderResult().cause());
      return;
    }
    SameSite.Refusal refusal =
        sameSite.check(
            request.headers().getAll(HttpHeaderNames.HOST),
            request.headers().getAll(HttpHeaderNames.ORIGIN));
    if (refusal != null) {
      refuse(context, refusal.status(), refusal.reason());
      return;
    }
    URI uri;
    try {
      uri = new URI(HttpApi.belowRoot(request.uri()));
    } catch (URISyntaxException e) {
      refuse(context, 400, "the URI is malformed: " + e.getReason());
      return;
    }
    String path = uri.getRawPath();
    if (path == null || uri.isOpaque() || !uri.normalize().getRawPath().equals(path)) {
      refuse(context, 400, "the URI's path must not have empty segments, nor . or .. ones");
    } else if (hasPage && path.equals("/")) {
      JsonResponses.redirect(context, PAGE);
    } else if (!path.startsWith(ROOT.getPath())) {
      refuse(context, 404, "no such resource; the resources are under " + HttpApi.ROOT);
    } else {
      answer(context, request, uri);
    }
  }

  private static void refuse(ChannelHandlerContext context, int status, String reason) {
    JsonResponses.refuse(context, HttpResponseStatus.valueOf(status), reason);
  }

  private void answer(ChannelHandlerContext context, FullHttpRequest request, URI uri) {
    request.retain();
    try {
      workers.execute(
          () -> {
            try {
              answerNow(context, request, uri);
            } finally {
              request.release();
            }
          });
    } catch (RejectedExecutionException e) {
      request.release();
      refuse(context, 503, "too many requests at once; try again later");
    }
  }

  private void answerNow(ChannelHandlerContext context, FullHttpRequest request, URI uri) {
    Account account = context.channel().attr(Login.ACCOUNT).get();
    try {
      ContainerRequest question =
          new ContainerRequest(
              ROOT,
              URI.create(
                  uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery())),
              request.method().name(),
              new LoggedIn(account, context.pipeline().get(SslHandler.class) != null),
              new MapPropertiesDelegate(),
              resources.getConfiguration());
      for (Map.Entry<String, String> header : request.headers()) {
        question.header(header.getKey(), header.getValue());
      }
      question.setEntityStream(new ByteBufInputStream(request.content()));
      question.setWriter(
          new NettyResponse(
              context.channel(),
              request,
              status ->
                  accessControl.done(
                      account,
                      (InetSocketAddress) context.channel().remoteAddress(),
                      request.method().name(),
                      request.uri(),
                      status,
                      request.content().nioBuffer(0, request.content().writerIndex()))));
      resources.handle(question);
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      LOG.error("{} {} failed", request.method(), uri.getRawPath(), e);
      refuse(context, 500, "internal error; the controller's log has the details");
    }
  }

  /** A client that has gone, which is no event; anything else is a defect. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof DecoderException && cause.getCause() instanceof SSLException) {
      failures.logTls(context.channel().remoteAddress(), (SSLException) cause.getCause());
    } else if (!(cause instanceof IOException)) {
      failures.log(context.channel().remoteAddress(), cause);
    }
    context.close();
  }

  /** Who sends a request, for resources that ask. */
  private static final class LoggedIn implements SecurityContext {
    private final Account account;
    private final boolean secure;

    LoggedIn(Account account, boolean secure) {
      this.account = account;
      this.secure = secure;
    }

    @Override
    public Principal getUserPrincipal() {
      return account;
    }

    @Override
    public boolean isUserInRole(String role) {
      return Role.named(role).map(account.role()::includes).orElse(false);
    }

    @Override
    public boolean isSecure() {
      return secure;
    }

    @Override
    public String getAuthenticationScheme() {
      return account.proof();
    }
  }
}
