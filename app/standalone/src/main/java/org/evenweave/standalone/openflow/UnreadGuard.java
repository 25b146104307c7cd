package org.evenweave.standalone.openflow;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Ends the connection of a switch that does not read what is sent to it. Above the high-water mark
 * of the write buffer nothing more is written, so that the buffer stays bounded; but requests to
 * the switch would then wait forever.
 */
final class UnreadGuard extends ChannelInboundHandlerAdapter {
  private final Duration timeout;
  private Future<?> timer;

  /**
   * @param timeout how long the write buffer may stay full
   */
  UnreadGuard(Duration timeout) {
    this.timeout = timeout;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    cancel();
    if (!context.channel().isWritable()) {
      timer =
          context
              .executor()
              .schedule(() -> expired(context), timeout.toNanos(), TimeUnit.NANOSECONDS);
    }
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    cancel();
    context.fireChannelInactive();
  }

  private void expired(ChannelHandlerContext context) {
    context.fireExceptionCaught(
        new BadSwitchException(
            "does not read: more than "
                + (OpenFlowServer.MAX_UNREAD_BYTES >> 10)
                + " KiB unread for "
                + timeout.toMillis()
                + " ms"));
  }

  private void cancel() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }
}
