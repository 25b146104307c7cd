package org.evenweave.standalone.http;

import io.netty.handler.ssl.NotSslRecordException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.apache.commons.lang3.StringUtils;
import org.evenweave.engine.packets.KeyedLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs connections of clients that failed by a defect: the address, the cause and where it came
 * from. Clients come in hundreds, so each host gets one line in {@link #PERIOD_NANOS}, with the
 * number of failures it stands for. Safe for many threads.
 */
final class FailureLog {
  static final long PERIOD_NANOS = 10_000_000_000L;

  /** Hosts with a line of their own in one period. */
  static final int MAX_HOSTS = 64;

  private static final int MAX_REASON = 200;

  private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

  private final KeyedLimit<String> limit = new KeyedLimit<>(PERIOD_NANOS, MAX_HOSTS);
  private final LongSupplier nanoTime;

  FailureLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A client that speaks no TLS, or trusts or shows another authority's certificates. */
  void logTls(SocketAddress client, SSLException problem) {
    long heldBack = limit.pass(host(client), nanoTime.getAsLong());
    if (heldBack >= 0) {
      LOG.warn(
          "{}: no TLS: {} ({} more of this host since the last line)",
          client,
          problem instanceof NotSslRecordException
              ? "the client does not speak TLS; the URL must begin with https://"
              : StringUtils.abbreviate(problem.getMessage(), MAX_REASON),
          heldBack);
    }
  }

  /** A connection that was refused before anything was set up for it. */
  void logRefused(SocketAddress client, String why) {
    long heldBack = limit.pass(host(client), nanoTime.getAsLong());
    if (heldBack >= 0) {
      LOG.warn(
          "{}: connection closed: {} ({} more of this host since the last line)",
          client,
          why,
          heldBack);
    }
  }

  private static String host(SocketAddress client) {
    return client instanceof InetSocketAddress
        ? ((InetSocketAddress) client).getHostString()
        : String.valueOf(client);
  }

  void log(SocketAddress client, Throwable cause) {
    long heldBack = limit.pass(host(client), nanoTime.getAsLong());
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
