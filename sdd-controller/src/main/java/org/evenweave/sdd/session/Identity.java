package org.evenweave.sdd.session;

import io.netty.channel.ChannelPipeline;

/** Says who is at the other end of a connection. */
interface Identity {
  /**
   * The name that the authority has given to the other end.
   *
   * @throws RefusedException if there is none
   */
  String of(ChannelPipeline connection) throws RefusedException;
}
