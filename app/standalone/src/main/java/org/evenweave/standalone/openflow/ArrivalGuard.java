package org.evenweave.standalone.openflow;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import org.evenweave.tls.ConnectionRate;

/**
 * Takes up new connections, and refuses those of a host that opens too many; on the listener's own
 * thread, before anything is set up for them, and without the threads that serve switches.
 */
final class ArrivalGuard extends ChannelInboundHandlerAdapter {
  private final ChannelSettings settings;

  ArrivalGuard(ChannelSettings settings) {
    this.settings = settings;
  }

  /**
   * @param accepted a connection, not registered yet
   */
  @Override
  public void channelRead(ChannelHandlerContext listener, Object accepted) {
    Channel channel = (Channel) accepted;
    if (settings.strangers.admits(channel.remoteAddress())) {
      settings.strangers.add(channel);
      listener.fireChannelRead(accepted);
      return;
    }
    String name = String.valueOf(channel.remoteAddress());
    settings.closings.ofOther(
        name,
        channel.remoteAddress(),
        "its host opens more than " + ConnectionRate.PER_SECOND + " connections a second");
    // A reset: the kernel keeps no state of it.
    channel.config().setOption(ChannelOption.SO_LINGER, 0);
    channel.unsafe().closeForcibly();
  }
}
