package org.evenweave.standalone.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The bounds of a connection, in virtual time. */
class HttpIntakeTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final HttpIntake.Shared shared =
      new HttpIntake.Shared(new HttpLimits(1000, 2500, 3, TIMEOUT, TIMEOUT));

  private EmbeddedChannel connect() {
    EmbeddedChannel channel = new EmbeddedChannel(new HttpIntake(shared));
    channel.freezeTime();
    return channel;
  }

  private static void begin(EmbeddedChannel channel, int bytes) {
    channel.writeInbound(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.PUT, "/"));
    channel.writeInbound(new DefaultHttpContent(Unpooled.buffer(bytes).writeZero(bytes)));
  }

  private static void finish(EmbeddedChannel channel) {
    channel.writeInbound(new DefaultLastHttpContent());
  }

  private static void answer(EmbeddedChannel channel) {
    channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
    assertEquals(200, status(channel));
  }

  private static int status(EmbeddedChannel channel) {
    FullHttpResponse response = channel.readOutbound();
    return response.status().code();
  }

  private static void pass(EmbeddedChannel channel, long seconds) {
    channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
  }

  @Test
  void theBodiesOfAllRequestsAreBoundedTogether() {
    EmbeddedChannel first = connect();
    EmbeddedChannel second = connect();
    EmbeddedChannel third = connect();
    begin(first, 1000);
    finish(first);
    begin(second, 1000);
    begin(third, 501);
    assertEquals(503, status(third));
    // What a closed connection and an answered request had is free again.
    third.close();
    answer(first);
    begin(first, 1000);
    finish(first);
    answer(first);
    finish(second);
    answer(second);
    begin(second, 1000);
    begin(first, 1000);
    assertNull(first.readOutbound());
  }

  @Test
  void aRequestThatDoesNotArriveInTimeIsGivenUpHoweverItTrickles() {
    EmbeddedChannel channel = connect();
    begin(channel, 1);
    for (int i = 0; i < 29; i++) {
      pass(channel, 1);
      channel.writeInbound(new DefaultHttpContent(Unpooled.buffer(1).writeZero(1)));
    }
    assertNull(channel.readOutbound());
    pass(channel, 1);
    assertEquals(408, status(channel));
    pass(channel, 10);
    assertFalse(channel.isOpen());
  }

  @Test
  void theTimeCountsFromTheAnswerBeforeAndNotWhileARequestIsAnswered() {
    EmbeddedChannel channel = connect();
    begin(channel, 1);
    finish(channel);
    pass(channel, 1000);
    answer(channel);
    pass(channel, 29);
    assertTrue(channel.isOpen());
    pass(channel, 1);
    assertFalse(channel.isOpen());
    assertNull(channel.readOutbound());
  }

  @Test
  void oneConnectionTooManyEndsTheOneThatHasWaitedLongest() {
    EmbeddedChannel answered = connect();
    begin(answered, 1);
    finish(answered);
    EmbeddedChannel slow = connect();
    begin(slow, 1);
    EmbeddedChannel idle = connect();
    EmbeddedChannel fourth = connect();
    assertFalse(slow.isOpen());
    answer(answered);
    EmbeddedChannel fifth = connect();
    assertFalse(idle.isOpen());
    EmbeddedChannel sixth = connect();
    assertFalse(fourth.isOpen());
    EmbeddedChannel seventh = connect();
    assertFalse(answered.isOpen());
    assertTrue(fifth.isOpen() && sixth.isOpen() && seventh.isOpen());
  }
}
