package org.evenweave.standalone.log;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import java.nio.charset.StandardCharsets;

/** The formats of log lines. */
public enum LogFormat {
  /** {@code 2026-11-28T03:45:12.345+01:00 WARN StatusLog - degraded: s1-0 is not connected}. */
  TEXT {
    @Override
    Encoder<ILoggingEvent> encoder(LoggerContext context) {
      PatternLayoutEncoder encoder = new PatternLayoutEncoder();
      encoder.setContext(context);
      encoder.setCharset(StandardCharsets.UTF_8);
      encoder.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %level %logger{0} - %msg%n");
      encoder.start();
      return encoder;
    }
  },

  /**
   * A JSON object a line: {@code timestamp} in milliseconds since the epoch, {@code level}, {@code
   * loggerName}, {@code formattedMessage}, and {@code throwable} where there is one.
   */
  JSON {
    @Override
    Encoder<ILoggingEvent> encoder(LoggerContext context) {
      JsonEncoder encoder = new JsonEncoder();
      encoder.setContext(context);
      encoder.setWithSequenceNumber(false);
      encoder.setWithNanoseconds(false);
      encoder.setWithThreadName(false);
      encoder.setWithContext(false);
      encoder.setWithMarkers(false);
      encoder.setWithMDC(false);
      encoder.setWithKVPList(false);
      encoder.setWithArguments(false);
      encoder.setWithMessage(false);
      encoder.setWithFormattedMessage(true);
      encoder.start();
      return encoder;
    }
  };

  abstract Encoder<ILoggingEvent> encoder(LoggerContext context);
}
