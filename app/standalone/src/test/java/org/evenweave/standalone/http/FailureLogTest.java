package org.evenweave.standalone.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is logged of clients whose connections fail. The test sets the time. */
class FailureLogTest {
  private static final String MORE = " more of this host since the last line)";

  private final Logger logger = (Logger) LoggerFactory.getLogger(FailureLog.class);
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
  private long nowNanos;
  private final FailureLog failures = new FailureLog(() -> nowNanos);

  @BeforeEach
  void listen() {
    // Tests log nothing otherwise.
    logger.setLevel(Level.WARN);
    logger.setAdditive(false);
    appender.start();
    logger.addAppender(appender);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(appender);
    logger.setAdditive(true);
    logger.setLevel(null);
  }

  private static SocketAddress client(int host, int port) {
    return InetSocketAddress.createUnresolved("192.0.2." + host, port);
  }

  private List<String> lines() {
    return appender.list.stream()
        .map(event -> event.getLevel() + " " + event.getFormattedMessage())
        .collect(Collectors.toList());
  }

  @Test
  void aFailedConnectionIsLoggedWithItsAddressItsCauseAndTheStackTrace() {
    failures.log(client(1, 4711), new IllegalStateException("no room"));
    assertEquals(
        List.of(
            "ERROR the HTTP connection of "
                + client(1, 4711)
                + " failed: java.lang.IllegalStateException: no room (0"
                + MORE),
        lines());
    assertEquals(
        IllegalStateException.class.getName(),
        appender.list.get(0).getThrowableProxy().getClassName());
  }

  @Test
  void hundredsOfOneHostAreOneLineInTenSecondsWithTheirNumber() {
    for (int port = 1; port <= 500; port++) {
      failures.log(client(1, port), new IllegalStateException("no room"));
    }
    assertEquals(1, lines().size());
    nowNanos += FailureLog.PERIOD_NANOS;
    failures.log(client(1, 501), new IllegalStateException("no room"));
    assertEquals(2, lines().size());
    String last = lines().get(1);
    assertEquals("(499" + MORE, last.substring(last.lastIndexOf('(')));
  }

  @Test
  void everyHostHasALineOfItsOwnUpToALimit() {
    for (int host = 1; host <= FailureLog.MAX_HOSTS + 10; host++) {
      failures.log(client(host, 1), new IllegalStateException("no room"));
    }
    assertEquals(FailureLog.MAX_HOSTS, lines().size());
  }

  @Test
  void aClientWithoutTlsIsToldApartFromOneWhoseCertificateIsRefused() {
    failures.logTls(client(1, 1), new NotSslRecordException("474554"));
    failures.logTls(client(2, 2), new SSLException("unknown_ca"));
    assertEquals(
        List.of(
            "WARN "
                + client(1, 1)
                + ": no TLS: the client does not speak TLS; the URL must begin with https:// (0"
                + MORE,
            "WARN " + client(2, 2) + ": no TLS: unknown_ca (0" + MORE),
        lines());
  }

  /** Closes each connection, and logs it unless its client has simply gone. */
  @Test
  void aConnectionThatFailsIsClosedAndOneThatTheClientEndsIsNotLogged() {
    fail(new IOException("Connection reset by peer"));
    assertEquals(List.of(), lines());
    fail(new DecoderException(new SSLException("unknown_ca")));
    nowNanos += FailureLog.PERIOD_NANOS;
    fail(new IllegalStateException("no room"));
    assertEquals(
        List.of(Level.WARN, Level.ERROR),
        appender.list.stream().map(ILoggingEvent::getLevel).collect(Collectors.toList()));
  }

  private void fail(Throwable cause) {
    EmbeddedChannel channel =
        new EmbeddedChannel(new RequestHandler(null, false, null, null, null, failures));
    channel.pipeline().fireExceptionCaught(cause);
    assertFalse(channel.isOpen());
    channel.finishAndReleaseAll();
  }
}
