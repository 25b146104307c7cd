package org.evenweave.standalone.openflow;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.projectfloodlight.openflow.protocol.OFMessage;

/**
 * The requests of one connection: sent in the order they were submitted, several at a time, matched
 * with their answers by xid, each with a time-out. Confined to the channel's event loop.
 *
 * <p>At most {@link #WINDOW} messages are unconfirmed, and nothing is written while the channel's
 * buffer is full. So a long list of groups neither fills memory here nor lies in the switch's
 * socket for so long that echoes behind it go unanswered.
 */
final class RequestPipeline {
  /** Two chunks of operations: the switch works on one while the barrier of the other returns. */
  static final int WINDOW = 2 * (ApplyRequest.CHUNK + 1);

  /** The most messages a transaction has: a chunk and its barrier. */
  private static final int MOST_MESSAGES = ApplyRequest.CHUNK + 1;

  private static final long MAX_XID = 0xffff_ffffL;

  /** Messages that answer one transaction, and their bytes: 30,000 groups of 256 buckets fit. */
  static final int MAX_REPLIES = 65_536;

  static final long MAX_REPLY_BYTES = 1L << 28;

  /** Each part of an answer may take a time-out, but all of it no more than so many. */
  static final int MAX_TIMEOUTS = 6;

  private final Channel channel;
  private final Duration timeout;
  private final Deque<Request<?>> waiting = new ArrayDeque<>();

  /** By first xid. */
  private final TreeMap<Long, OpenTransaction> open = new TreeMap<>();

  private long nextXid = 1;
  private int unconfirmed;
  private boolean pumping;
  private String closedBecause;

  /**
   * @param timeout how long the switch may leave a transaction without any answer
   */
  RequestPipeline(Channel channel, Duration timeout) {
    this.channel = channel;
    this.timeout = timeout;
  }

  /** An xid for a message that expects no answer here; never one that is waited for. */
  long freeXid() {
    return firstOf(1);
  }

  void submit(Request<?> request) {
    if (closedBecause != null) {
      request.fail(closedBecause);
      return;
    }
    waiting.add(request);
    pump();
  }

  /**
   * Sends what may be sent now; to be called when the channel becomes writable. Writing may end the
   * connection, or call back here, before it returns.
   */
  void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    boolean wrote = false;
    while (!waiting.isEmpty() && unconfirmed < WINDOW && channel.isWritable()) {
      Request<?> request = waiting.peek();
      if (request.isSent()) {
        waiting.remove();
      } else {
        send(request.next());
        wrote = true;
      }
    }
    pumping = false;
    if (wrote) {
      channel.flush();
    }
  }

  /** Writes a transaction past all that waits; the caller flushes. */
  void sendNow(Transaction transaction) {
    if (closedBecause != null) {
      transaction.onLost(closedBecause);
    } else {
      send(transaction);
    }
  }

  /**
   * @param bytes the reply's length
   * @return whether it answers a request of this pipeline
   * @throws BadSwitchException if the answer it belongs to is longer than any good one
   */
  boolean onReply(OFMessage reply, int bytes) {
    OpenTransaction entry = find(reply.getXid());
    if (entry == null) {
      return false;
    }
    entry.requireBounded(bytes);
    if (entry.transaction.onReply(reply)) {
      end(entry);
    } else {
      entry.restartTimer();
    }
    return true;
  }

  /** Others' entries, of a reply that comes next. */
  void onForeign(ForeignPart part) {
    OpenTransaction entry = find(part.xid());
    if (entry != null) {
      entry.transaction.onForeign(part);
    }
  }

  /** Returns whether the error was about a request of this pipeline. */
  boolean onError(SwitchError error) {
    OpenTransaction entry = find(error.xid());
    if (entry == null) {
      return false;
    }
    if (entry.transaction.onError((int) (error.xid() - entry.firstXid), error)) {
      end(entry);
    }
    return true;
  }

  /** Fails everything unanswered, and all that is submitted later. */
  void close(String why) {
    closedBecause = why;
    for (OpenTransaction entry : new ArrayList<>(open.values())) {
      entry.cancelTimers();
      entry.transaction.onLost(why);
    }
    open.clear();
    waiting.forEach(request -> request.fail(why));
    waiting.clear();
  }

  private void send(Transaction transaction) {
    long firstXid = firstOf(MOST_MESSAGES);
    List<OFMessage> messages = transaction.messages(firstXid);
    OpenTransaction entry = new OpenTransaction(transaction, firstXid, messages.size());
    open.put(firstXid, entry);
    unconfirmed += messages.size();
    entry.restartTimer();
    for (OFMessage message : messages) {
      channel.write(message).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }
  }

  /** The first of {@code count} consecutive xids that nothing else uses. */
  private long firstOf(int count) {
    long first = nextXid + count - 1 > MAX_XID ? 1 : nextXid;
    nextXid = first + count;
    return first;
  }

  private OpenTransaction find(long xid) {
    Map.Entry<Long, OpenTransaction> floor = open.floorEntry(xid);
    return floor != null && xid < floor.getKey() + floor.getValue().messages
        ? floor.getValue()
        : null;
  }

  private void end(OpenTransaction entry) {
    entry.cancelTimers();
    open.remove(entry.firstXid);
    unconfirmed -= entry.messages;
    pump();
  }

  private final class OpenTransaction {
    final Transaction transaction;
    final long firstXid;
    final int messages;
    final Future<?> deadline;
    Future<?> timer;
    int replies;
    long replyBytes;

    OpenTransaction(Transaction transaction, long firstXid, int messages) {
      this.transaction = transaction;
      this.firstXid = firstXid;
      this.messages = messages;
      this.deadline =
          channel
              .eventLoop()
              .schedule(this::tooLong, MAX_TIMEOUTS * timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    void restartTimer() {
      if (timer != null) {
        timer.cancel(false);
      }
      timer = channel.eventLoop().schedule(this::timedOut, timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    void cancelTimers() {
      timer.cancel(false);
      deadline.cancel(false);
    }

    void requireBounded(int bytes) {
      replies++;
      replyBytes += bytes;
      if (replies > MAX_REPLIES || replyBytes > MAX_REPLY_BYTES) {
        throw new BadSwitchException(
            "an answer is too long: "
                + replies
                + " messages, "
                + replyBytes
                + " bytes; at most "
                + MAX_REPLIES
                + " and "
                + MAX_REPLY_BYTES);
      }
    }

    private void tooLong() {
      channel
          .pipeline()
          .fireExceptionCaught(
              new BadSwitchException(
                  "an answer is not complete after "
                      + MAX_TIMEOUTS * timeout.toMillis()
                      + " ms and "
                      + replies
                      + " messages"));
    }

    private void timedOut() {
      transaction.onLost("no answer within " + timeout.toMillis() + " ms");
      end(this);
    }
  }
}
