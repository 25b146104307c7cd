package org.evenweave.standalone.http;

import java.time.Duration;

/** Limits on the resources of one client, so that a slow or hostile one harms only itself. */
final class HttpLimits {
  static final HttpLimits DEFAULT =
      new HttpLimits(64 << 20, 256 << 20, 256, Duration.ofSeconds(30), Duration.ofSeconds(30));

  /** The fabric of 100,000 servers has some 20 MB. */
  final int maxBodyBytes;

  /** Of the bodies of all requests that are being received or answered. */
  final long maxBodiesBytes;

  /** When there is one more, one of the host with the most goes, which waits for a request. */
  final int maxConnections;

  /** From the connection, or the answer before, to the last byte of a request. */
  final Duration requestTimeout;

  /** How long a client may read nothing of an answer. */
  final Duration stallTimeout;

  HttpLimits(
      int maxBodyBytes,
      long maxBodiesBytes,
      int maxConnections,
      Duration requestTimeout,
      Duration stallTimeout) {
    this.maxBodyBytes = maxBodyBytes;
    this.maxBodiesBytes = maxBodiesBytes;
    this.maxConnections = maxConnections;
    this.requestTimeout = requestTimeout;
    this.stallTimeout = stallTimeout;
  }
}
