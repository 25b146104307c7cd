package org.evenweave.sdd.session;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.evenweave.sdd.protocol.Frame;
import org.evenweave.sdd.protocol.wire.QueueStatsDecoder;
import org.evenweave.sdd.protocol.wire.ReplyDecoder;
import org.evenweave.sdd.protocol.wire.Status;

/** One client's session: requests that wait for their answers. */
abstract class Client {
  private static final int MAX_WAITING = 8_192;
  private static final long ANSWER_SECONDS = 5;

  private final String name;
  private final Channel channel;
  private final ClientLog log;
  private final AtomicLong lastRequest = new AtomicLong();
  private final Map<Long, CompletableFuture<Reply>> replies = new ConcurrentHashMap<>();
  private final Map<Long, CompletableFuture<List<QueueState>>> statistics =
      new ConcurrentHashMap<>();

  Client(String name, Channel channel, ClientLog log) {
    this.name = name;
    this.channel = channel;
    this.log = log;
  }

  /** The client's name. */
  public final String name() {
    return name;
  }

  /** Where lines go that this client causes. */
  public final ClientLog log() {
    return log;
  }

  /** Whether the session is still up. */
  public final boolean isUp() {
    return channel.isActive();
  }

  /** Ends the session. */
  final void close() {
    channel.close();
  }

  final CompletableFuture<Reply> request(LongFunction<Frame> message) {
    return ask(replies, message);
  }

  final CompletableFuture<List<QueueState>> query(LongFunction<Frame> message) {
    return ask(statistics, message);
  }

  private <T> CompletableFuture<T> ask(
      Map<Long, CompletableFuture<T>> waiting, LongFunction<Frame> message) {
    long id = lastRequest.incrementAndGet();
    Frame frame = message.apply(id);
    if (waiting.size() >= MAX_WAITING || !channel.isWritable()) {
      return CompletableFuture.failedFuture(
          new RequestException(
              name + (channel.isActive() ? " does not keep up" : " is not connected")));
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    answer.whenComplete((done, failure) -> waiting.remove(id));
    try {
      Future<?> patience =
          channel
              .eventLoop()
              .schedule(
                  () ->
                      answer.completeExceptionally(
                          new RequestException(name + " did not answer in time")),
                  ANSWER_SECONDS,
                  TimeUnit.SECONDS);
      answer.whenComplete((done, failure) -> patience.cancel(false));
      // Not at once even on the channel's own thread: that would overtake what others have asked.
      channel.eventLoop().execute(() -> send(frame, answer));
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(new RequestException(name + " is not connected"));
    }
    return answer;
  }

  private void send(Frame frame, CompletableFuture<?> answer) {
    channel
        .writeAndFlush(framed(channel, frame))
        .addListener(
            sent -> {
              if (!sent.isSuccess()) {
                answer.completeExceptionally(new RequestException(name + " is not connected"));
              }
            });
  }

  /** The message behind its length. */
  static ByteBuf framed(Channel channel, Frame frame) {
    return channel
        .alloc()
        .buffer(Integer.BYTES + frame.length())
        .writeIntLE(frame.length())
        .writeBytes(frame.array(), 0, frame.length());
  }

  /**
   * A reply without a pending request is dropped.
   *
   * @return whether there was one
   */
  final boolean answered(ReplyDecoder message) {
    long id = message.requestId();
    CompletableFuture<Reply> reply = replies.get(id);
    CompletableFuture<?> waiting = reply != null ? reply : statistics.get(id);
    if (waiting == null) {
      return false;
    }
    if (message.status() != Status.OK) {
      waiting.completeExceptionally(new RequestException(refusal(message), message.status()));
    } else if (reply != null) {
      reply.complete(Reply.of(message));
    }
    return true;
  }

  private String refusal(ReplyDecoder message) {
    String at = message.status() == Status.CONDITION ? " at byte " + message.position() : "";
    for (ReplyDecoder.QueuesDecoder row : message.queues()) {
      row.queue();
    }
    String text = message.text();
    return name + ": " + message.status() + at + (text.isEmpty() ? "" : ": " + text);
  }

  /** The same of statistics. */
  final boolean answered(QueueStatsDecoder message) {
    CompletableFuture<List<QueueState>> answer = statistics.get(message.requestId());
    if (answer != null) {
      answer.complete(QueueState.of(message));
    }
    return answer != null;
  }

  /** Fails whatever still waits. */
  final void ended() {
    RequestException away = new RequestException(name + " is not connected");
    replies.values().forEach(reply -> reply.completeExceptionally(away));
    statistics.values().forEach(answer -> answer.completeExceptionally(away));
  }
}
