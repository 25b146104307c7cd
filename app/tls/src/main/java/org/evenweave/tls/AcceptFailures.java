package org.evenweave.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.Consumer;

/**
 * Reports that a listener could not accept a connection, which without it appears as Netty's
 * complaint about a missing handler. Netty tries again after a second.
 */
public final class AcceptFailures extends ChannelInboundHandlerAdapter {
  private final Consumer<String> report;

  private AcceptFailures(Consumer<String> report) {
    this.report = report;
  }

  /**
   * Reports the failures of a listener that is bound.
   *
   * @param report gets a sentence at most once a second
   */
  public static void reportTo(Consumer<String> report, Channel listening) {
    listening.pipeline().addLast(new AcceptFailures(report));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext listener, Throwable cause) {
    report.accept(
        listener.channel().localAddress() + " accepts no connection: " + cause.getMessage());
  }
}
