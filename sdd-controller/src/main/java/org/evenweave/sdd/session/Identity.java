package org.evenweave.sdd.session;

import io.netty.channel.ChannelPipeline;

/** Identifies the peer of a connection. */
interface Identity {
  /**
   * The name that the authority has given to the other end.
   *
   * @throws RefusedException if there is none
   */
  String of(ChannelPipeline connection) throws RefusedException;
}
