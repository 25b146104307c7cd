package org.evenweave.standalone.http;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.evenweave.engine.packets.KeyedLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs connections of clients that failed by a defect: the address, the cause and where it came
 * from. Clients come in hundreds, so each host gets one line in {@link #PERIOD_NANOS}, with the
 * number of failures it stands for. Safe for many threads.
 */
final class FailureLog {
  private static final long PERIOD_NANOS = 10_000_000_000L;

  /** Hosts with a line of their own in one period. */
  private static final int MAX_HOSTS = 64;

  private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

  private final KeyedLimit<String> limit = new KeyedLimit<>(PERIOD_NANOS, MAX_HOSTS);

  void log(SocketAddress client, Throwable cause) {
    String host =
        client instanceof InetSocketAddress
            ? ((InetSocketAddress) client).getHostString()
            : String.valueOf(client);
    long heldBack = limit.pass(host, System.nanoTime());
    if (heldBack >= 0) {
      LOG.error(
          "the HTTP connection of {} failed: {} ({} more of this host since the last line)",
          client,
          cause,
          heldBack,
          cause);
    }
  }
}
