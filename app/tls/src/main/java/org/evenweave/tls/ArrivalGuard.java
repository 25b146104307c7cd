package org.evenweave.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import java.net.SocketAddress;
import java.util.function.BiConsumer;

/**
 * Takes up new connections, and refuses those of a host that opens too many; on the listener's own
 * thread, before anything is set up for them, and without the threads that serve others.
 */
final class ArrivalGuard extends ChannelInboundHandlerAdapter {
  private final Strangers strangers;
  private final BiConsumer<SocketAddress, String> refused;

  /**
   * @param refused told of each refused connection: where it came from, and why
   */
  ArrivalGuard(Strangers strangers, BiConsumer<SocketAddress, String> refused) {
    this.strangers = strangers;
    this.refused = refused;
  }

  /**
   * @param accepted a connection, not registered yet
   */
  @Override
  public void channelRead(ChannelHandlerContext listener, Object accepted) {
    Channel channel = (Channel) accepted;
    if (strangers.admits(channel.remoteAddress())) {
      strangers.add(channel);
      listener.fireChannelRead(accepted);
      return;
    }
    refused.accept(
        channel.remoteAddress(),
        "its host opens more than " + ConnectionRate.PER_SECOND + " connections a second");
    // A reset: the kernel keeps no state of it.
    channel.config().setOption(ChannelOption.SO_LINGER, 0);
    channel.unsafe().closeForcibly();
  }
}
